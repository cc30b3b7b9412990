package org.ringside.mlx5.layout;

/**
 * SQD_RTS_QP: sends again after a drain.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_sqd2rts_qp_in_bits}.
 */
public final class Sqd2rtsQpIn extends Layout {
    public static final Sqd2rtsQpIn LAYOUT = new Sqd2rtsQpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    /** OptParam bits: which optional fields count. */
    public static final Field OPT_PARAM_MASK = LAYOUT.dword("opt_param_mask", 0x10);

    public static final StructField QPC = LAYOUT.struct("qpc", 0x18, Qpc.LAYOUT);

    private Sqd2rtsQpIn() {
        super("sqd2rts_qp_in", 0x110);
    }
}
