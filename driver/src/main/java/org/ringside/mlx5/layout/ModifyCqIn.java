package org.ringside.mlx5.layout;

/**
 * MODIFY_CQ: moderation, overrun, or with op_mod 1 another buffer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_cq_in_bits}.
 */
public final class ModifyCqIn extends Layout {
    public static final ModifyCqIn LAYOUT = new ModifyCqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field CQN = LAYOUT.field("cqn", 0x08, 23, 0);
    public static final Field MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT =
            LAYOUT.dword("modify_field_select_resize_field_select", 0x0c);
    public static final StructField CQ_CONTEXT = LAYOUT.struct("cq_context", 0x10, Cqc.LAYOUT);

    /**
     * Where in that memory the buffer starts, in bytes; rdma-core has it, the kernel's header does
     * not.
     */
    public static final Field CQ_UMEM_OFFSET = LAYOUT.qword("cq_umem_offset", 0x50);

    /** Of CREATE_UMEM instead of pages. */
    public static final Field CQ_UMEM_ID = LAYOUT.dword("cq_umem_id", 0x58);

    public static final Field CQ_UMEM_VALID = LAYOUT.bit("cq_umem_valid", 0x5c, 31);
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private ModifyCqIn() {
        super("modify_cq_in", 0x110);
    }
}
