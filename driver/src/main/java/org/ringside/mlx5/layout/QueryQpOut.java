package org.ringside.mlx5.layout;

/**
 * QUERY_QP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_qp_out_bits}.
 */
public final class QueryQpOut extends Layout {
    public static final QueryQpOut LAYOUT = new QueryQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** OptParam bits: which optional fields count. */
    public static final Field OPT_PARAM_MASK = LAYOUT.dword("opt_param_mask", 0x10);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x14);

    public static final StructField QPC = LAYOUT.struct("qpc", 0x18, Qpc.LAYOUT);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private QueryQpOut() {
        super("query_qp_out", 0x110);
    }
}
