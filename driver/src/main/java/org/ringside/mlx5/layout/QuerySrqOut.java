package org.ringside.mlx5.layout;

/**
 * QUERY_SRQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_srq_out_bits}.
 */
public final class QuerySrqOut extends Layout {
    public static final QuerySrqOut LAYOUT = new QuerySrqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField SRQ_CONTEXT_ENTRY =
            LAYOUT.struct("srq_context_entry", 0x10, Srqc.LAYOUT);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private QuerySrqOut() {
        super("query_srq_out", 0x110);
    }
}
