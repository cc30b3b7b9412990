package org.ringside.mlx5.layout;

/**
 * DEALLOC_PD.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_pd_in_bits}.
 */
public final class DeallocPdIn extends Layout {
    public static final DeallocPdIn LAYOUT = new DeallocPdIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field PD = LAYOUT.field("pd", 0x08, 23, 0);

    private DeallocPdIn() {
        super("dealloc_pd_in", 0x10);
    }
}
