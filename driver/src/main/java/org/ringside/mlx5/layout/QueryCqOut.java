package org.ringside.mlx5.layout;

/**
 * QUERY_CQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_cq_out_bits}.
 */
public final class QueryCqOut extends Layout {
    public static final QueryCqOut LAYOUT = new QueryCqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField CQ_CONTEXT = LAYOUT.struct("cq_context", 0x10, Cqc.LAYOUT);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private QueryCqOut() {
        super("query_cq_out", 0x110);
    }
}
