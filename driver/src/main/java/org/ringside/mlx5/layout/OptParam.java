package org.ringside.mlx5.layout;

/**
 * Optional parameters of QP transitions: bits of {@link Rtr2rtsQpIn#OPT_PARAM_MASK}. A transition
 * takes its required fields without them.
 *
 * <p>Source: Linux qp.h, {@code enum mlx5_qp_optpar}.
 */
public final class OptParam {
    public static final int ALT_ADDR_PATH = 1 << 0;
    public static final int RRE = 1 << 1;
    public static final int RAE = 1 << 2;
    public static final int RWE = 1 << 3;
    public static final int PKEY_INDEX = 1 << 4;
    public static final int Q_KEY = 1 << 5;

    /** {@link Qpc#MIN_RNR_NAK}. */
    public static final int RNR_TIMEOUT = 1 << 6;

    public static final int PRIMARY_ADDR_PATH = 1 << 7;
    public static final int SRA_MAX = 1 << 8;
    public static final int RRA_MAX = 1 << 9;
    public static final int PM_STATE = 1 << 10;
    public static final int RETRY_COUNT = 1 << 12;
    public static final int RNR_RETRY = 1 << 13;
    public static final int ACK_TIMEOUT = 1 << 14;
    public static final int LAG_TX_AFF = 1 << 15;
    public static final int PRI_PORT = 1 << 16;
    public static final int SRQN = 1 << 18;
    public static final int CQN_RCV = 1 << 19;
    public static final int DC_HS = 1 << 20;
    public static final int DC_KEY = 1 << 21;
    public static final int COUNTER_SET_ID = 1 << 25;

    private static final Names NAMES = Names.of(OptParam.class);

    private OptParam() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int bit) {
        return NAMES.name(bit);
    }
}
