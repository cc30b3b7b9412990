package org.ringside.mlx5.layout;

/**
 * INIT2RTR_QP: path, remote QPN, PSN to expect and the responder's resources. From now on it
 * receives.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_init2rtr_qp_in_bits}.
 */
public final class Init2rtrQpIn extends Layout {
    public static final Init2rtrQpIn LAYOUT = new Init2rtrQpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    /** OptParam bits: which optional fields count. */
    public static final Field OPT_PARAM_MASK = LAYOUT.dword("opt_param_mask", 0x10);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x14);

    public static final StructField QPC = LAYOUT.struct("qpc", 0x18, Qpc.LAYOUT);

    private Init2rtrQpIn() {
        super("init2rtr_qp_in", 0x110);
    }
}
