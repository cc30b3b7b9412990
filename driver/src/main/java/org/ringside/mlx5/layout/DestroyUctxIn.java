package org.ringside.mlx5.layout;

/**
 * DESTROY_UCTX.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_uctx_in_bits}.
 */
public final class DestroyUctxIn extends Layout {
    public static final DestroyUctxIn LAYOUT = new DestroyUctxIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final Field UID = LAYOUT.field("uid", 0x08, 15, 0);

    private DestroyUctxIn() {
        super("destroy_uctx_in", 0x10);
    }
}
