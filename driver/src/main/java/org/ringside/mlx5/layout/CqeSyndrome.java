package org.ringside.mlx5.layout;

/**
 * Why a WQE failed: {@link Cqe64#SYNDROME_OFFSET}.
 *
 * <p>Source: Linux cq.h {@code MLX5_CQE_SYNDROME_}; IBTA volume 1, 11.6.2.
 */
public final class CqeSyndrome {
    /** Message longer than the buffers or than the port allows. */
    public static final int LOCAL_LENGTH_ERR = 0x01;

    /** Malformed WQE or QP. */
    public static final int LOCAL_QP_OP_ERR = 0x02;

    /** Wrong lkey, PD or bounds. */
    public static final int LOCAL_PROT_ERR = 0x04;

    /** QP was or went in error before its turn. */
    public static final int WR_FLUSH_ERR = 0x05;

    public static final int MW_BIND_ERR = 0x06;

    /** The peer answered with nonsense. */
    public static final int BAD_RESP_ERR = 0x10;

    /** Responder: own memory could not be written. */
    public static final int LOCAL_ACCESS_ERR = 0x11;

    /** The peer does not take such a request. */
    public static final int REMOTE_INVAL_REQ_ERR = 0x12;

    /** Wrong rkey, bounds or rights at the peer. */
    public static final int REMOTE_ACCESS_ERR = 0x13;

    /** The peer failed by itself. */
    public static final int REMOTE_OP_ERR = 0x14;

    /** No acknowledgment. */
    public static final int TRANSPORT_RETRY_EXC_ERR = 0x15;

    /** The peer has no receive WQE. */
    public static final int RNR_RETRY_EXC_ERR = 0x16;

    public static final int REMOTE_ABORTED_ERR = 0x22;

    private static final Names NAMES = Names.of(CqeSyndrome.class);

    private CqeSyndrome() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int syndrome) {
        return NAMES.name(syndrome);
    }
}
