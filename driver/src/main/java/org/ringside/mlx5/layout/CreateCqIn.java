package org.ringside.mlx5.layout;

/**
 * CREATE_CQ: context and pages.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_cq_in_bits}.
 */
public final class CreateCqIn extends Layout {
    public static final CreateCqIn LAYOUT = new CreateCqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final StructField CQ_CONTEXT = LAYOUT.struct("cq_context", 0x10, Cqc.LAYOUT);

    /**
     * Where in that memory the buffer starts, in bytes; rdma-core has it, the kernel's header does
     * not.
     */
    public static final Field CQ_UMEM_OFFSET = LAYOUT.qword("cq_umem_offset", 0x50);

    /** Of CREATE_UMEM instead of pages. */
    public static final Field CQ_UMEM_ID = LAYOUT.dword("cq_umem_id", 0x58);

    /** 1: the buffer is an umem. */
    public static final Field CQ_UMEM_VALID = LAYOUT.bit("cq_umem_valid", 0x5c, 31);

    /** Pages of 4 KiB shifted by log_page_size. */
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private CreateCqIn() {
        super("create_cq_in", 0x110);
    }
}
