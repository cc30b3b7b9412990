package org.ringside.mlx5.layout;

/**
 * CREATE_XRC_SRQ: context and pages.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_xrc_srq_in_bits}.
 */
public final class CreateXrcSrqIn extends Layout {
    public static final CreateXrcSrqIn LAYOUT = new CreateXrcSrqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final StructField XRC_SRQ_CONTEXT_ENTRY =
            LAYOUT.struct("xrc_srq_context_entry", 0x10, XrcSrqc.LAYOUT);
    public static final Field XRC_SRQ_UMEM_VALID = LAYOUT.bit("xrc_srq_umem_valid", 0x5c, 31);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private CreateXrcSrqIn() {
        super("create_xrc_srq_in", 0x110);
    }
}
