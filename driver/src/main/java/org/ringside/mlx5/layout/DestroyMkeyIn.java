package org.ringside.mlx5.layout;

/**
 * DESTROY_MKEY; by index, which is the key without its low 8 bits.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_mkey_in_bits}.
 */
public final class DestroyMkeyIn extends Layout {
    public static final DestroyMkeyIn LAYOUT = new DestroyMkeyIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field MKEY_INDEX = LAYOUT.field("mkey_index", 0x08, 23, 0);

    private DestroyMkeyIn() {
        super("destroy_mkey_in", 0x10);
    }
}
