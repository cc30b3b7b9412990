package org.ringside.mlx5.layout;

/**
 * CREATE_RMP: context, whose queue ends with the pages.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_rmp_in_bits}.
 */
public final class CreateRmpIn extends Layout {
    public static final CreateRmpIn LAYOUT = new CreateRmpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final StructField CTX = LAYOUT.struct("ctx", 0x20, Rmpc.LAYOUT);

    /** The end of the queue in the context. */
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private CreateRmpIn() {
        super("create_rmp_in", 0x110);
    }
}
