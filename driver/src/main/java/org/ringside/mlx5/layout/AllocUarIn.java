package org.ringside.mlx5.layout;

/**
 * ALLOC_UAR: takes a page of doorbells.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_uar_in_bits}.
 */
public final class AllocUarIn extends Layout {
    public static final AllocUarIn LAYOUT = new AllocUarIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private AllocUarIn() {
        super("alloc_uar_in", 0x10);
    }
}
