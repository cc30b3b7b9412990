package org.ringside.mlx5.layout;

/**
 * QUERY_Q_COUNTER's answer: events of all queues of the set since it was cleared.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_q_counter_out_bits}.
 */
public final class QueryQCounterOut extends Layout {
    public static final QueryQCounterOut LAYOUT = new QueryQCounterOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field RX_WRITE_REQUESTS = LAYOUT.dword("rx_write_requests", 0x10);
    public static final Field RX_READ_REQUESTS = LAYOUT.dword("rx_read_requests", 0x18);
    public static final Field RX_ATOMIC_REQUESTS = LAYOUT.dword("rx_atomic_requests", 0x20);
    public static final Field RX_DCT_CONNECT = LAYOUT.dword("rx_dct_connect", 0x28);
    public static final Field OUT_OF_BUFFER = LAYOUT.dword("out_of_buffer", 0x30);
    public static final Field OUT_OF_SEQUENCE = LAYOUT.dword("out_of_sequence", 0x38);
    public static final Field DUPLICATE_REQUEST = LAYOUT.dword("duplicate_request", 0x40);
    public static final Field RNR_NAK_RETRY_ERR = LAYOUT.dword("rnr_nak_retry_err", 0x48);
    public static final Field PACKET_SEQ_ERR = LAYOUT.dword("packet_seq_err", 0x50);
    public static final Field IMPLIED_NAK_SEQ_ERR = LAYOUT.dword("implied_nak_seq_err", 0x58);
    public static final Field LOCAL_ACK_TIMEOUT_ERR = LAYOUT.dword("local_ack_timeout_err", 0x60);
    public static final Field REQ_RNR_RETRIES_EXCEEDED =
            LAYOUT.dword("req_rnr_retries_exceeded", 0x70);
    public static final Field RESP_LOCAL_LENGTH_ERROR =
            LAYOUT.dword("resp_local_length_error", 0x78);
    public static final Field REQ_LOCAL_LENGTH_ERROR = LAYOUT.dword("req_local_length_error", 0x7c);
    public static final Field RESP_LOCAL_QP_ERROR = LAYOUT.dword("resp_local_qp_error", 0x80);
    public static final Field LOCAL_OPERATION_ERROR = LAYOUT.dword("local_operation_error", 0x84);
    public static final Field RESP_LOCAL_PROTECTION = LAYOUT.dword("resp_local_protection", 0x88);
    public static final Field REQ_LOCAL_PROTECTION = LAYOUT.dword("req_local_protection", 0x8c);
    public static final Field RESP_CQE_ERROR = LAYOUT.dword("resp_cqe_error", 0x90);
    public static final Field REQ_CQE_ERROR = LAYOUT.dword("req_cqe_error", 0x94);
    public static final Field REQ_MW_BINDING = LAYOUT.dword("req_mw_binding", 0x98);
    public static final Field REQ_BAD_RESPONSE = LAYOUT.dword("req_bad_response", 0x9c);
    public static final Field REQ_REMOTE_INVALID_REQUEST =
            LAYOUT.dword("req_remote_invalid_request", 0xa0);
    public static final Field RESP_REMOTE_INVALID_REQUEST =
            LAYOUT.dword("resp_remote_invalid_request", 0xa4);
    public static final Field REQ_REMOTE_ACCESS_ERRORS =
            LAYOUT.dword("req_remote_access_errors", 0xa8);
    public static final Field RESP_REMOTE_ACCESS_ERRORS =
            LAYOUT.dword("resp_remote_access_errors", 0xac);
    public static final Field REQ_REMOTE_OPERATION_ERRORS =
            LAYOUT.dword("req_remote_operation_errors", 0xb0);
    public static final Field REQ_TRANSPORT_RETRIES_EXCEEDED =
            LAYOUT.dword("req_transport_retries_exceeded", 0xb4);
    public static final Field CQ_OVERFLOW = LAYOUT.dword("cq_overflow", 0xb8);
    public static final Field RESP_CQE_FLUSH_ERROR = LAYOUT.dword("resp_cqe_flush_error", 0xbc);
    public static final Field REQ_CQE_FLUSH_ERROR = LAYOUT.dword("req_cqe_flush_error", 0xc0);
    public static final Field ROCE_ADP_RETRANS = LAYOUT.dword("roce_adp_retrans", 0xc8);
    public static final Field ROCE_ADP_RETRANS_TO = LAYOUT.dword("roce_adp_retrans_to", 0xcc);
    public static final Field ROCE_SLOW_RESTART = LAYOUT.dword("roce_slow_restart", 0xd0);
    public static final Field ROCE_SLOW_RESTART_CNPS = LAYOUT.dword("roce_slow_restart_cnps", 0xd4);
    public static final Field ROCE_SLOW_RESTART_TRANS =
            LAYOUT.dword("roce_slow_restart_trans", 0xd8);

    private QueryQCounterOut() {
        super("query_q_counter_out", 0x100);
    }
}
