package org.ringside.mlx5.layout;

/**
 * The 8 bytes in host memory by which software tells how far it is, two big-endian dwords, 8-byte
 * aligned. The device reads them; it never writes.
 *
 * <pre>
 *        QP                                  CQ
 *   +0   receive counter, 16 bits            consumer index, 24 bits
 *   +4   send counter, 16 bits, in WQEBBs    arm: sn 29-28, kind 24, consumer index 23-0
 * </pre>
 *
 * <p>Counters run freely and are those of the next entry. Source: Linux qp.h ({@code MLX5_RCV_DBR},
 * {@code MLX5_SND_DBR}), cq.h.
 */
public final class DoorbellRecord {
    public static final int SIZE = 8;

    /** QP and SRQ: receive WQEs posted, modulo 2^16. */
    public static final int RECEIVE = 0;

    /** QP: 64-byte blocks posted to the send queue, modulo 2^16. */
    public static final int SEND = 4;

    /** CQ: CQEs consumed, modulo 2^24. */
    public static final int CONSUMER_INDEX = 0;

    /** CQ: {@link #armWord}. */
    public static final int ARM = 4;

    /** {@link #armWord} kind: an event for the next CQE. */
    public static final int ARM_NEXT = 0;

    /** {@link #armWord} kind: an event for the next solicited or failed CQE. */
    public static final int ARM_SOLICITED = 1 << 24;

    private static final int SN_SHIFT = 28;
    private static final int INDEX_MASK = 0xff_ffff;

    private DoorbellRecord() {}

    /**
     * What arms a CQ, in CPU order, for the record and for the first half of {@link Uar#CQ_ARM}.
     *
     * @param sequence grows by 1 with each event; its low 2 bits count
     * @param kind {@link #ARM_NEXT} or {@link #ARM_SOLICITED}
     */
    public static int armWord(int sequence, int kind, int consumerIndex) {
        return (sequence & 3) << SN_SHIFT | kind | (consumerIndex & INDEX_MASK);
    }

    /** Both dwords of a QP's record, in CPU order, for logs. */
    public static String describeQp(int receive, int send) {
        return "dbr{receive=%d send=%d}".formatted(receive & 0xffff, send & 0xffff);
    }

    /** Both dwords of a CQ's record, in CPU order, for logs. */
    public static String describeCq(int consumerIndex, int arm) {
        return "dbr{consumer_index=%d arm{%s}}"
                .formatted(consumerIndex & INDEX_MASK, describeArm(arm));
    }

    static String describeArm(int word) {
        return "sn=%d kind=%s consumer_index=%d"
                .formatted(
                        word >>> SN_SHIFT & 3,
                        (word & ARM_SOLICITED) != 0 ? "solicited" : "next",
                        word & INDEX_MASK);
    }
}
