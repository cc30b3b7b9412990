package org.ringside.mlx5.layout;

/**
 * What a CQE tells of: high nibble of {@link Cqe64#OP_OWN_OFFSET}.
 *
 * <p>Source: Linux cq.h.
 */
public final class CqeOpcode {
    /** A send queue WQE is complete. */
    public static final int REQ = 0x0;

    /** WRITE with immediate came in. */
    public static final int RESP_WR_IMM = 0x1;

    /** SEND came in. */
    public static final int RESP_SEND = 0x2;

    /** SEND with immediate came in. */
    public static final int RESP_SEND_IMM = 0x3;

    /** SEND with invalidate came in. */
    public static final int RESP_SEND_INV = 0x4;

    /** Last one in the old buffer of a CQ. */
    public static final int RESIZE_CQ = 0x5;

    /** Signature error. */
    public static final int SIG_ERR = 0xc;

    /** A send queue WQE failed. */
    public static final int REQ_ERR = 0xd;

    /** A receive WQE failed. */
    public static final int RESP_ERR = 0xe;

    /** Not yet written; software presets it. */
    public static final int INVALID = 0xf;

    private static final Names NAMES = Names.of(CqeOpcode.class);

    private CqeOpcode() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int opcode) {
        return NAMES.name(opcode);
    }
}
