package org.ringside.mlx5.layout;

/**
 * DESTROY_RMP.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_rmp_in_bits}.
 */
public final class DestroyRmpIn extends Layout {
    public static final DestroyRmpIn LAYOUT = new DestroyRmpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final Field RMPN = LAYOUT.field("rmpn", 0x08, 23, 0);

    private DestroyRmpIn() {
        super("destroy_rmp_in", 0x10);
    }
}
