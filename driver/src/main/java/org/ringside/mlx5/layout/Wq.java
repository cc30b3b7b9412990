package org.ringside.mlx5.layout;

/**
 * A work queue of its own, as RQ, SQ and RMP have one: ring, doorbell record, counters.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_wq_bits}.
 */
public final class Wq extends Layout {
    public static final Wq LAYOUT = new Wq();

    /** 0 linked list, 1 cyclic, 2 linked list of strides, 3 cyclic of strides. */
    public static final Field WQ_TYPE = LAYOUT.field("wq_type", 0x00, 31, 28);

    public static final Field WQ_SIGNATURE = LAYOUT.bit("wq_signature", 0x00, 27);
    public static final Field END_PADDING_MODE = LAYOUT.field("end_padding_mode", 0x00, 26, 25);
    public static final Field CD_SLAVE = LAYOUT.bit("cd_slave", 0x00, 24);
    public static final Field HDS_SKIP_FIRST_SGE = LAYOUT.bit("hds_skip_first_sge", 0x04, 31);
    public static final Field LOG2_HDS_BUF_SIZE = LAYOUT.field("log2_hds_buf_size", 0x04, 30, 28);

    /** Into the first page, in 64ths of a page. */
    public static final Field PAGE_OFFSET = LAYOUT.field("page_offset", 0x04, 20, 16);

    /** Limit: event when fewer are left. */
    public static final Field LWM = LAYOUT.field("lwm", 0x04, 15, 0);

    public static final Field PD = LAYOUT.field("pd", 0x08, 23, 0);
    public static final Field UAR_PAGE = LAYOUT.field("uar_page", 0x0c, 23, 0);

    /** Doorbell record. */
    public static final Field DBR_ADDR = LAYOUT.qword("dbr_addr", 0x10);

    /** WQEs consumed. */
    public static final Field HW_COUNTER = LAYOUT.dword("hw_counter", 0x18);

    /** WQEs posted. */
    public static final Field SW_COUNTER = LAYOUT.dword("sw_counter", 0x1c);

    /** Log2 of bytes per WQE. */
    public static final Field LOG_WQ_STRIDE = LAYOUT.field("log_wq_stride", 0x20, 19, 16);

    /** Log2 of the page size, less 12. */
    public static final Field LOG_WQ_PG_SZ = LAYOUT.field("log_wq_pg_sz", 0x20, 12, 8);

    /** Log2 of WQEs. */
    public static final Field LOG_WQ_SZ = LAYOUT.field("log_wq_sz", 0x20, 4, 0);

    public static final Field DBR_UMEM_VALID = LAYOUT.bit("dbr_umem_valid", 0x24, 31);
    public static final Field WQ_UMEM_VALID = LAYOUT.bit("wq_umem_valid", 0x24, 30);
    public static final Field LOG_HAIRPIN_NUM_PACKETS =
            LAYOUT.field("log_hairpin_num_packets", 0x24, 28, 24);
    public static final Field LOG_HAIRPIN_DATA_SZ =
            LAYOUT.field("log_hairpin_data_sz", 0x24, 20, 16);
    public static final Field LOG_WQE_NUM_OF_STRIDES =
            LAYOUT.field("log_wqe_num_of_strides", 0x24, 11, 8);
    public static final Field TWO_BYTE_SHIFT_EN = LAYOUT.bit("two_byte_shift_en", 0x24, 7);
    public static final Field LOG_WQE_STRIDE_SIZE = LAYOUT.field("log_wqe_stride_size", 0x24, 2, 0);
    public static final Field DBR_UMEM_ID = LAYOUT.dword("dbr_umem_id", 0x28);
    public static final Field WQ_UMEM_ID = LAYOUT.dword("wq_umem_id", 0x2c);
    public static final Field WQ_UMEM_OFFSET = LAYOUT.qword("wq_umem_offset", 0x30);
    public static final Field HEADERS_MKEY = LAYOUT.dword("headers_mkey", 0x38);
    public static final Field SHAMPO_ENABLE = LAYOUT.bit("shampo_enable", 0x3c, 31);
    public static final Field LOG_RESERVATION_SIZE =
            LAYOUT.field("log_reservation_size", 0x3c, 26, 24);
    public static final Field LOG_MAX_NUM_OF_PACKETS_PER_RESERVATION =
            LAYOUT.field("log_max_num_of_packets_per_reservation", 0x3c, 18, 16);
    public static final Field LOG_HEADERS_ENTRY_SIZE =
            LAYOUT.field("log_headers_entry_size", 0x3c, 9, 8);
    public static final Field LOG_HEADERS_BUFFER_ENTRY_NUM =
            LAYOUT.field("log_headers_buffer_entry_num", 0x3c, 3, 0);

    private Wq() {
        super("wq", 0xc0);
    }
}
