package org.ringside.mlx5.layout;

/**
 * SET_ISSI: chooses the interface revision; 1 for everything modern.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_issi_in_bits}.
 */
public final class SetIssiIn extends Layout {
    public static final SetIssiIn LAYOUT = new SetIssiIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field CURRENT_ISSI = LAYOUT.field("current_issi", 0x08, 15, 0);

    private SetIssiIn() {
        super("set_issi_in", 0x10);
    }
}
