package org.ringside.mlx5.layout;

/**
 * DESTROY_EQ.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_eq_in_bits}.
 */
public final class DestroyEqIn extends Layout {
    public static final DestroyEqIn LAYOUT = new DestroyEqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field EQ_NUMBER = LAYOUT.field("eq_number", 0x08, 7, 0);

    private DestroyEqIn() {
        super("destroy_eq_in", 0x10);
    }
}
