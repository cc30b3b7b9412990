package org.ringside.mlx5.layout;

/**
 * CREATE_QP: context and the pages of its rings, receive ring first.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_qp_in_bits}.
 */
public final class CreateQpIn extends Layout {
    public static final CreateQpIn LAYOUT = new CreateQpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPC_EXT = LAYOUT.bit("qpc_ext", 0x08, 31);

    /** A wished-for number; 0 leaves it to the device. */
    public static final Field INPUT_QPN = LAYOUT.field("input_qpn", 0x08, 23, 0);

    /** OptParam bits: which optional fields count. */
    public static final Field OPT_PARAM_MASK = LAYOUT.dword("opt_param_mask", 0x10);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x14);

    public static final StructField QPC = LAYOUT.struct("qpc", 0x18, Qpc.LAYOUT);
    public static final Field WQ_UMEM_OFFSET = LAYOUT.qword("wq_umem_offset", 0x100);

    /** Of CREATE_UMEM instead of pages. */
    public static final Field WQ_UMEM_ID = LAYOUT.dword("wq_umem_id", 0x108);

    public static final Field WQ_UMEM_VALID = LAYOUT.bit("wq_umem_valid", 0x10c, 31);

    /** Pages of 4 KiB shifted by log_page_size. */
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private CreateQpIn() {
        super("create_qp_in", 0x110);
    }
}
