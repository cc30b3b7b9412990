package org.ringside.mlx5.layout;

/**
 * 2RST_QP: forgets all, so that the QP can be used anew or destroyed.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_qp_2rst_in_bits}.
 */
public final class Qp2rstIn extends Layout {
    public static final Qp2rstIn LAYOUT = new Qp2rstIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    private Qp2rstIn() {
        super("qp_2rst_in", 0x10);
    }
}
