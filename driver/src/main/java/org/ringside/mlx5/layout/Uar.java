package org.ringside.mlx5.layout;

/**
 * A page of doorbells in BAR0: UAR n at n times 4 KiB. Everything is written in big endian by
 * single stores.
 *
 * <pre>
 *   0x000 +------------------------------+
 *   0x020 | CQ arm                8 bytes|  sn, kind, consumer index | CQN
 *   0x040 | EQ consumer index, arm 4     |  EQN, consumer index
 *   0x048 | EQ consumer index      4     |  the same, not arming
 *   0x800 | send doorbell, half A        |  first 8 bytes of the last WQE
 *   0x900 | send doorbell, half B        |  stores alternate between the halves
 *   0xa00 | three more pairs, 0x200 apart|
 *         +------------------------------+ 0x1000
 * </pre>
 *
 * <p>Source: Adapters PRM, UAR Page Format; Linux cq.h and eq.c; rdma-core qp.c.
 */
public final class Uar {
    /** Bytes; the device's own page, whatever the host's is. */
    public static final int PAGE_SIZE = 0x1000;

    /** 8 bytes: {@link DoorbellRecord#armWord}, then the CQN. */
    public static final int CQ_ARM = 0x20;

    /**
     * 4 bytes: {@link #eqWord}. Updates the consumer index and asks for an interrupt at the next
     * EQE.
     */
    public static final int EQ_ARM = 0x40;

    /** 4 bytes: {@link #eqWord}. Updates the consumer index only. */
    public static final int EQ_CONSUMER = 0x48;

    /** 8 bytes: the first 8 of the last WQE posted. */
    public static final int SEND_DOORBELL = 0x800;

    /** Exclusive-or'ed into the send doorbell's offset after each store. */
    public static final int SEND_DOORBELL_TOGGLE = 0x100;

    /** From one send doorbell pair to the next in the page. */
    public static final int SEND_DOORBELL_STRIDE = 0x200;

    /** Pairs in a page. */
    public static final int SEND_DOORBELLS = 4;

    private Uar() {}

    /** What the EQ doorbells take, in CPU order. */
    public static int eqWord(int eqn, int consumerIndex) {
        return eqn << 24 | (consumerIndex & 0xff_ffff);
    }

    /** One store to a UAR, for logs; {@code value} in CPU order. */
    public static String describe(long offset, long value) {
        int place = (int) offset & (PAGE_SIZE - 1);
        if (place >= SEND_DOORBELL) {
            return "SEND doorbell 0x%x {wqe_index=%d opcode=%s qpn=0x%x ds=%d}"
                    .formatted(
                            place,
                            value >>> 40 & 0xffff,
                            WqeOpcode.name((int) (value >>> 32) & 0xff),
                            value >>> 8 & 0xff_ffff,
                            value & 0x3f);
        }
        return switch (place) {
            case CQ_ARM ->
                    "CQ arm {cqn=0x%x %s}"
                            .formatted(
                                    value & 0xff_ffff,
                                    DoorbellRecord.describeArm((int) (value >>> 32)));
            case EQ_ARM, EQ_CONSUMER ->
                    "EQ %s {eqn=%d consumer_index=%d}"
                            .formatted(
                                    place == EQ_ARM ? "arm" : "consumer",
                                    value >>> 24 & 0xff,
                                    value & 0xff_ffff);
            default -> "no doorbell at 0x%x: 0x%x".formatted(place, value);
        };
    }
}
