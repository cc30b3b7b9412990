package org.ringside.mlx5.layout;

/**
 * CREATE_UCTX: a user context, by whose number commands are restricted to its own objects.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_uctx_in_bits}.
 */
public final class CreateUctxIn extends Layout {
    public static final CreateUctxIn LAYOUT = new CreateUctxIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final StructField UCTX = LAYOUT.struct("uctx", 0x10, Uctx.LAYOUT);

    private CreateUctxIn() {
        super("create_uctx_in", 0x40);
    }
}
