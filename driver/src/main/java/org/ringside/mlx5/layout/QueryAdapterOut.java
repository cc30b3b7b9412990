package org.ringside.mlx5.layout;

/**
 * QUERY_ADAPTER's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_adapter_out_bits}.
 */
public final class QueryAdapterOut extends Layout {
    public static final QueryAdapterOut LAYOUT = new QueryAdapterOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField QUERY_ADAPTER_STRUCT =
            LAYOUT.struct("query_adapter_struct", 0x10, QueryAdapterParamBlock.LAYOUT);

    private QueryAdapterOut() {
        super("query_adapter_out", 0x110);
    }
}
