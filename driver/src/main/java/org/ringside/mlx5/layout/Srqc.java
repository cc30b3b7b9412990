package org.ringside.mlx5.layout;

/**
 * Context of a shared receive queue.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_srqc_bits}.
 */
public final class Srqc extends Layout {
    public static final Srqc LAYOUT = new Srqc();

    public static final Field STATE = LAYOUT.field("state", 0x00, 31, 28);

    /** Log2 of WQEs. */
    public static final Field LOG_SRQ_SIZE = LAYOUT.field("log_srq_size", 0x00, 27, 24);

    public static final Field WQ_SIGNATURE = LAYOUT.bit("wq_signature", 0x04, 31);

    /** WQEs lie in order. */
    public static final Field CONT_SRQ = LAYOUT.bit("cont_srq", 0x04, 30);

    public static final Field RLKY = LAYOUT.bit("rlky", 0x04, 28);

    /** Log2 of bytes per WQE, less 4. */
    public static final Field LOG_RQ_STRIDE = LAYOUT.field("log_rq_stride", 0x04, 26, 24);

    public static final Field XRCD = LAYOUT.field("xrcd", 0x04, 23, 0);

    /** Into the first page, in 64ths of a page. */
    public static final Field PAGE_OFFSET = LAYOUT.field("page_offset", 0x08, 31, 26);

    public static final Field CQN = LAYOUT.field("cqn", 0x08, 23, 0);

    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x10, 29, 24);

    public static final Field PD = LAYOUT.field("pd", 0x18, 23, 0);

    /** Limit: event when fewer are left. */
    public static final Field LWM = LAYOUT.field("lwm", 0x1c, 31, 16);

    /** WQEs in it. */
    public static final Field WQE_CNT = LAYOUT.field("wqe_cnt", 0x1c, 15, 0);

    public static final Field DBR_ADDR = LAYOUT.qword("dbr_addr", 0x28);

    private Srqc() {
        super("srqc", 0x40);
    }
}
