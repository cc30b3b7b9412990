package org.ringside.mlx5.layout;

/**
 * QUERY_RMP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_rmp_out_bits}.
 */
public final class QueryRmpOut extends Layout {
    public static final QueryRmpOut LAYOUT = new QueryRmpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField RMP_CONTEXT = LAYOUT.struct("rmp_context", 0x20, Rmpc.LAYOUT);

    private QueryRmpOut() {
        super("query_rmp_out", 0x110);
    }
}
