package org.ringside.mlx5.layout;

/**
 * Context of a queue pair. Which fields a command looks at depends on the transition.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_qpc_bits}.
 */
public final class Qpc extends Layout {
    public static final Qpc LAYOUT = new Qpc();

    public static final Field STATE = LAYOUT.field("state", 0x00, 31, 28, QpState::name);
    public static final Field LAG_TX_PORT_AFFINITY =
            LAYOUT.field("lag_tx_port_affinity", 0x00, 27, 24);

    /** Service type. */
    public static final Field ST = LAYOUT.field("st", 0x00, 23, 16, ServiceType::name);

    public static final Field ISOLATE_VL_TC = LAYOUT.bit("isolate_vl_tc", 0x00, 13);

    /** 0 armed, 1 rearm, 3 migrated; 3 when there is no second path. */
    public static final Field PM_STATE = LAYOUT.field("pm_state", 0x00, 12, 11);

    public static final Field REQ_E2E_CREDIT_MODE = LAYOUT.field("req_e2e_credit_mode", 0x00, 9, 8);
    public static final Field OFFLOAD_TYPE = LAYOUT.field("offload_type", 0x00, 7, 4);
    public static final Field END_PADDING_MODE = LAYOUT.field("end_padding_mode", 0x00, 3, 2);

    /** Check WQE signatures. */
    public static final Field WQ_SIGNATURE = LAYOUT.bit("wq_signature", 0x04, 31);

    public static final Field BLOCK_LB_MC = LAYOUT.bit("block_lb_mc", 0x04, 30);
    public static final Field ATOMIC_LIKE_WRITE_EN = LAYOUT.bit("atomic_like_write_en", 0x04, 29);
    public static final Field LATENCY_SENSITIVE = LAYOUT.bit("latency_sensitive", 0x04, 28);
    public static final Field DRAIN_SIGERR = LAYOUT.bit("drain_sigerr", 0x04, 26);
    public static final Field PD = LAYOUT.field("pd", 0x04, 23, 0);

    /** A code of {@link Mtu}. */
    public static final Field MTU = LAYOUT.field("mtu", 0x08, 31, 29, Mtu::name);

    /** Log2 of the longest message in bytes; 30 as a rule. */
    public static final Field LOG_MSG_MAX = LAYOUT.field("log_msg_max", 0x08, 28, 24);

    /** Log2 of receive WQEs. */
    public static final Field LOG_RQ_SIZE = LAYOUT.field("log_rq_size", 0x08, 22, 19);

    /** Log2 of bytes per receive WQE, less 4. */
    public static final Field LOG_RQ_STRIDE = LAYOUT.field("log_rq_stride", 0x08, 18, 16);

    /** 1: receive only. */
    public static final Field NO_SQ = LAYOUT.bit("no_sq", 0x08, 15);

    /** Log2 of 64-byte blocks. */
    public static final Field LOG_SQ_SIZE = LAYOUT.field("log_sq_size", 0x08, 14, 11);

    public static final Field RETRY_MODE = LAYOUT.field("retry_mode", 0x08, 9, 8);

    /** 0 free running, 1 default, 2 real time. */
    public static final Field TS_FORMAT = LAYOUT.field("ts_format", 0x08, 7, 6);

    /** The reserved lkey may be used. */
    public static final Field RLKY = LAYOUT.bit("rlky", 0x08, 4);

    public static final Field ULP_STATELESS_OFFLOAD_MODE =
            LAYOUT.field("ulp_stateless_offload_mode", 0x08, 3, 0);

    /** Q counter; 0 none. */
    public static final Field COUNTER_SET_ID = LAYOUT.field("counter_set_id", 0x0c, 31, 24);

    /** ALLOC_UAR's number. */
    public static final Field UAR_PAGE = LAYOUT.field("uar_page", 0x0c, 23, 0);

    /** Comes back in each CQE. */
    public static final Field USER_INDEX = LAYOUT.field("user_index", 0x10, 23, 0);

    /** Log2 of the page size, less 12. */
    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x14, 28, 24);

    /** Peer's QPN. */
    public static final Field REMOTE_QPN = LAYOUT.field("remote_qpn", 0x14, 23, 0);

    public static final StructField PRIMARY_ADDRESS_PATH =
            LAYOUT.struct("primary_address_path", 0x18, Ads.LAYOUT);

    public static final StructField SECONDARY_ADDRESS_PATH =
            LAYOUT.struct("secondary_address_path", 0x44, Ads.LAYOUT);

    /** Log2 of packets between ACK requests. */
    public static final Field LOG_ACK_REQ_FREQ = LAYOUT.field("log_ack_req_freq", 0x70, 31, 28);

    /** Log2 of own outstanding READs and atomics. */
    public static final Field LOG_SRA_MAX = LAYOUT.field("log_sra_max", 0x70, 23, 21);

    /** 0-7. */
    public static final Field RETRY_COUNT = LAYOUT.field("retry_count", 0x70, 18, 16);

    /** 7: for ever. */
    public static final Field RNR_RETRY = LAYOUT.field("rnr_retry", 0x70, 15, 13);

    /** Fast registration allowed. */
    public static final Field FRE = LAYOUT.bit("fre", 0x70, 11);

    public static final Field CUR_RNR_RETRY = LAYOUT.field("cur_rnr_retry", 0x70, 10, 8);
    public static final Field CUR_RETRY_COUNT = LAYOUT.field("cur_retry_count", 0x70, 7, 5);

    public static final Field NEXT_SEND_PSN = LAYOUT.field("next_send_psn", 0x78, 23, 0);

    public static final Field LOG_NUM_DCI_STREAM_CHANNELS =
            LAYOUT.field("log_num_dci_stream_channels", 0x7c, 28, 24);

    /** CQ of the send queue. */
    public static final Field CQN_SND = LAYOUT.field("cqn_snd", 0x7c, 23, 0);

    public static final Field LOG_NUM_DCI_ERRORED_STREAMS =
            LAYOUT.field("log_num_dci_errored_streams", 0x80, 28, 24);
    public static final Field DETH_SQPN = LAYOUT.field("deth_sqpn", 0x80, 23, 0);

    public static final Field LAST_ACKED_PSN = LAYOUT.field("last_acked_psn", 0x88, 23, 0);

    public static final Field SSN = LAYOUT.field("ssn", 0x8c, 23, 0);

    /** Log2 of the peer's outstanding READs and atomics; INIT2RTR takes it. */
    public static final Field LOG_RRA_MAX = LAYOUT.field("log_rra_max", 0x90, 23, 21);

    /** 3: up to 8 bytes. */
    public static final Field ATOMIC_MODE = LAYOUT.field("atomic_mode", 0x90, 19, 16);

    /** Peer may READ. */
    public static final Field RRE = LAYOUT.bit("rre", 0x90, 15);

    /** Peer may WRITE. */
    public static final Field RWE = LAYOUT.bit("rwe", 0x90, 14);

    /** Peer may do atomics. */
    public static final Field RAE = LAYOUT.bit("rae", 0x90, 13);

    /** Into the first page, in 64ths of a page. */
    public static final Field PAGE_OFFSET = LAYOUT.field("page_offset", 0x90, 11, 6);

    /** Cross-channel. */
    public static final Field CD_SLAVE_RECEIVE = LAYOUT.bit("cd_slave_receive", 0x90, 2);

    /** Cross-channel. */
    public static final Field CD_SLAVE_SEND = LAYOUT.bit("cd_slave_send", 0x90, 1);

    /** Cross-channel. */
    public static final Field CD_MASTER = LAYOUT.bit("cd_master", 0x90, 0);

    /** IBTA RNR timer code. */
    public static final Field MIN_RNR_NAK = LAYOUT.field("min_rnr_nak", 0x94, 28, 24);

    /** PSN expected first. */
    public static final Field NEXT_RCV_PSN = LAYOUT.field("next_rcv_psn", 0x94, 23, 0);

    public static final Field XRCD = LAYOUT.field("xrcd", 0x98, 23, 0);

    /** CQ of the receive queue. */
    public static final Field CQN_RCV = LAYOUT.field("cqn_rcv", 0x9c, 23, 0);

    /** Doorbell record; 8 bytes, [0] receive, [1] send. */
    public static final Field DBR_ADDR = LAYOUT.qword("dbr_addr", 0xa0);

    /** UD only. */
    public static final Field Q_KEY = LAYOUT.dword("q_key", 0xa8);

    /** 0 own ring, 1 SRQ, 3 none. */
    public static final Field RQ_TYPE = LAYOUT.field("rq_type", 0xac, 26, 24);

    public static final Field SRQN_RMPN_XRQN = LAYOUT.field("srqn_rmpn_xrqn", 0xac, 23, 0);

    public static final Field RMSN = LAYOUT.field("rmsn", 0xb0, 23, 0);

    /** By the device. */
    public static final Field HW_SQ_WQEBB_COUNTER =
            LAYOUT.field("hw_sq_wqebb_counter", 0xb4, 31, 16);

    /** As last posted. */
    public static final Field SW_SQ_WQEBB_COUNTER =
            LAYOUT.field("sw_sq_wqebb_counter", 0xb4, 15, 0);

    public static final Field HW_RQ_COUNTER = LAYOUT.dword("hw_rq_counter", 0xb8);

    public static final Field SW_RQ_COUNTER = LAYOUT.dword("sw_rq_counter", 0xbc);

    public static final Field CGS = LAYOUT.bit("cgs", 0xc4, 16);

    /** Scatter small answers to the CQE: 0x11 up to 32 bytes. */
    public static final Field CS_REQ = LAYOUT.field("cs_req", 0xc4, 15, 8);

    /** Scatter small messages to the CQE: 1 up to 32 bytes. */
    public static final Field CS_RES = LAYOUT.field("cs_res", 0xc4, 7, 0);

    public static final Field DC_ACCESS_KEY = LAYOUT.qword("dc_access_key", 0xc8);

    public static final Field DBR_UMEM_VALID = LAYOUT.bit("dbr_umem_valid", 0xd0, 28);

    /** Where dbr_addr is an offset; rdma-core has it, the kernel's header does not. */
    public static final Field DBR_UMEM_ID = LAYOUT.dword("dbr_umem_id", 0xe4);

    private Qpc() {
        super("qpc", 0xe8);
    }
}
