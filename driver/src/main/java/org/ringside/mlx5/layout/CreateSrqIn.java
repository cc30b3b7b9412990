package org.ringside.mlx5.layout;

/**
 * CREATE_SRQ: context and pages.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_srq_in_bits}.
 */
public final class CreateSrqIn extends Layout {
    public static final CreateSrqIn LAYOUT = new CreateSrqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final StructField SRQ_CONTEXT_ENTRY =
            LAYOUT.struct("srq_context_entry", 0x10, Srqc.LAYOUT);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private CreateSrqIn() {
        super("create_srq_in", 0x110);
    }
}
