package org.ringside.mlx5.layout;

/**
 * 2ERR_QP: flushes what is posted.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_qp_2err_in_bits}.
 */
public final class Qp2errIn extends Layout {
    public static final Qp2errIn LAYOUT = new Qp2errIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    private Qp2errIn() {
        super("qp_2err_in", 0x10);
    }
}
