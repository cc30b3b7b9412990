package org.ringside.mlx5.layout;

/**
 * DEALLOC_UAR: gives a page of doorbells back.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_uar_in_bits}.
 */
public final class DeallocUarIn extends Layout {
    public static final DeallocUarIn LAYOUT = new DeallocUarIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field UAR = LAYOUT.field("uar", 0x08, 23, 0);

    private DeallocUarIn() {
        super("dealloc_uar_in", 0x10);
    }
}
