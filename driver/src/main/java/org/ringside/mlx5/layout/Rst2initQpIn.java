package org.ringside.mlx5.layout;

/**
 * RST2INIT_QP: port, P_Key and what the peer may do.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_rst2init_qp_in_bits}.
 */
public final class Rst2initQpIn extends Layout {
    public static final Rst2initQpIn LAYOUT = new Rst2initQpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    /** OptParam bits: which optional fields count. */
    public static final Field OPT_PARAM_MASK = LAYOUT.dword("opt_param_mask", 0x10);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x14);

    public static final StructField QPC = LAYOUT.struct("qpc", 0x18, Qpc.LAYOUT);

    private Rst2initQpIn() {
        super("rst2init_qp_in", 0x110);
    }
}
