package org.ringside.mlx5.layout;

/**
 * QUERY_XRC_SRQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_xrc_srq_out_bits}.
 */
public final class QueryXrcSrqOut extends Layout {
    public static final QueryXrcSrqOut LAYOUT = new QueryXrcSrqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField XRC_SRQ_CONTEXT_ENTRY =
            LAYOUT.struct("xrc_srq_context_entry", 0x10, XrcSrqc.LAYOUT);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private QueryXrcSrqOut() {
        super("query_xrc_srq_out", 0x110);
    }
}
