package org.ringside.mlx5.layout;

/**
 * CREATE_UMEM: tells the device of memory that objects will use.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_umem_in_bits}.
 */
public final class CreateUmemIn extends Layout {
    public static final CreateUmemIn LAYOUT = new CreateUmemIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final StructField UMEM = LAYOUT.struct("umem", 0x10, Umem.LAYOUT);

    private CreateUmemIn() {
        super("create_umem_in", 0x30);
    }
}
