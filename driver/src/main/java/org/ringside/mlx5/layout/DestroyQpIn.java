package org.ringside.mlx5.layout;

/**
 * DESTROY_QP.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_qp_in_bits}.
 */
public final class DestroyQpIn extends Layout {
    public static final DestroyQpIn LAYOUT = new DestroyQpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    private DestroyQpIn() {
        super("destroy_qp_in", 0x10);
    }
}
