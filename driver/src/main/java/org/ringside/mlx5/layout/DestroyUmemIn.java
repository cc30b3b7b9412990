package org.ringside.mlx5.layout;

/**
 * DESTROY_UMEM.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_umem_in_bits}.
 */
public final class DestroyUmemIn extends Layout {
    public static final DestroyUmemIn LAYOUT = new DestroyUmemIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final Field UMEM_ID = LAYOUT.field("umem_id", 0x08, 23, 0);

    private DestroyUmemIn() {
        super("destroy_umem_in", 0x10);
    }
}
