package org.ringside.mlx5.layout;

/**
 * Context of an XRC shared receive queue.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_xrc_srqc_bits}.
 */
public final class XrcSrqc extends Layout {
    public static final XrcSrqc LAYOUT = new XrcSrqc();

    /** 0 good, 1 error. */
    public static final Field STATE = LAYOUT.field("state", 0x00, 31, 28);

    /** Log2 of WQEs. */
    public static final Field LOG_XRC_SRQ_SIZE = LAYOUT.field("log_xrc_srq_size", 0x00, 27, 24);

    public static final Field WQ_SIGNATURE = LAYOUT.bit("wq_signature", 0x04, 31);

    /** WQEs lie in order. */
    public static final Field CONT_SRQ = LAYOUT.bit("cont_srq", 0x04, 30);

    public static final Field RLKY = LAYOUT.bit("rlky", 0x04, 28);

    /** A ring instead of a list. */
    public static final Field BASIC_CYCLIC_RCV_WQE = LAYOUT.bit("basic_cyclic_rcv_wqe", 0x04, 27);

    /** Log2 of bytes per WQE, less 4. */
    public static final Field LOG_RQ_STRIDE = LAYOUT.field("log_rq_stride", 0x04, 26, 24);

    public static final Field XRCD = LAYOUT.field("xrcd", 0x04, 23, 0);

    /** Into the first page, in 64ths of a page. */
    public static final Field PAGE_OFFSET = LAYOUT.field("page_offset", 0x08, 31, 26);

    public static final Field DBR_UMEM_VALID = LAYOUT.bit("dbr_umem_valid", 0x08, 24);
    public static final Field CQN = LAYOUT.field("cqn", 0x08, 23, 0);
    public static final Field USER_INDEX_EQUAL_XRC_SRQN =
            LAYOUT.bit("user_index_equal_xrc_srqn", 0x10, 31);
    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x10, 29, 24);

    /** Comes back in each CQE. */
    public static final Field USER_INDEX = LAYOUT.field("user_index", 0x10, 23, 0);

    public static final Field PD = LAYOUT.field("pd", 0x18, 23, 0);

    /** Limit: event when fewer are left. */
    public static final Field LWM = LAYOUT.field("lwm", 0x1c, 31, 16);

    /** WQEs in it. */
    public static final Field WQE_CNT = LAYOUT.field("wqe_cnt", 0x1c, 15, 0);

    public static final Field DB_RECORD_ADDR_H = LAYOUT.dword("db_record_addr_h", 0x28);

    /** Without the lowest two bits. */
    public static final Field DB_RECORD_ADDR_L = LAYOUT.field("db_record_addr_l", 0x2c, 31, 2);

    private XrcSrqc() {
        super("xrc_srqc", 0x40);
    }
}
