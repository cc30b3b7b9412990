package org.ringside.mlx5.layout;

/**
 * Context of a completion queue.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cqc_bits}; rdma-core tests/mlx5_prm_structs.py,
 * SwCqc.
 */
public final class Cqc extends Layout {
    public static final Cqc LAYOUT = new Cqc();

    /** 0 ok, 9 overflow, 0xa write failure. */
    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 28);

    public static final Field DBR_UMEM_VALID = LAYOUT.bit("dbr_umem_valid", 0x00, 25);
    public static final Field APU_CQ = LAYOUT.bit("apu_cq", 0x00, 24);

    /** 0: 64 bytes, 1: 128, 2: 128 padded. */
    public static final Field CQE_SZ = LAYOUT.field("cqe_sz", 0x00, 23, 21);

    /** Collapsed: all CQEs to slot 0. */
    public static final Field CC = LAYOUT.bit("cc", 0x00, 20);

    public static final Field SCQE_BREAK_MODERATION_EN =
            LAYOUT.bit("scqe_break_moderation_en", 0x00, 18);

    /** Overrun ignore. */
    public static final Field OI = LAYOUT.bit("oi", 0x00, 17);

    public static final Field CQ_PERIOD_MODE = LAYOUT.field("cq_period_mode", 0x00, 16, 15);
    public static final Field CQE_COMP_EN = LAYOUT.bit("cqe_comp_en", 0x00, 14);
    public static final Field MINI_CQE_RES_FORMAT =
            LAYOUT.field("mini_cqe_res_format", 0x00, 13, 12);

    /** 6 solicited armed, 9 armed, 10 fired. */
    public static final Field ST = LAYOUT.field("st", 0x00, 11, 8);

    public static final Field CQE_COMPRESSION_LAYOUT =
            LAYOUT.field("cqe_compression_layout", 0x00, 1, 0);

    /** Where dbr_addr is an offset; rdma-core has it, the kernel's header does not. */
    public static final Field DBR_UMEM_ID = LAYOUT.dword("dbr_umem_id", 0x04);

    /** Into the first page, in 64ths of a page. */
    public static final Field PAGE_OFFSET = LAYOUT.field("page_offset", 0x08, 11, 6);

    /** Log2 of CQEs. */
    public static final Field LOG_CQ_SIZE = LAYOUT.field("log_cq_size", 0x0c, 28, 24);

    public static final Field UAR_PAGE = LAYOUT.field("uar_page", 0x0c, 23, 0);

    /** Microseconds before an event. */
    public static final Field CQ_PERIOD = LAYOUT.field("cq_period", 0x10, 27, 16);

    /** CQEs before an event. */
    public static final Field CQ_MAX_COUNT = LAYOUT.field("cq_max_count", 0x10, 15, 0);

    /** EQ that gets the completion events, in the low byte. */
    public static final Field C_EQN_OR_APU_ELEMENT = LAYOUT.dword("c_eqn_or_apu_element", 0x14);

    /** Log2 of the page size, less 12. */
    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x18, 28, 24);

    public static final Field LAST_NOTIFIED_INDEX =
            LAYOUT.field("last_notified_index", 0x20, 23, 0);

    public static final Field LAST_SOLICIT_INDEX = LAYOUT.field("last_solicit_index", 0x24, 23, 0);

    public static final Field CONSUMER_COUNTER = LAYOUT.field("consumer_counter", 0x28, 23, 0);

    public static final Field PRODUCER_COUNTER = LAYOUT.field("producer_counter", 0x2c, 23, 0);

    /** Doorbell record; 8 bytes, 8-byte aligned. With dbr_umem_valid its place in that memory. */
    public static final Field DBR_ADDR = LAYOUT.qword("dbr_addr", 0x38);

    private Cqc() {
        super("cqc", 0x40);
    }
}
