package org.ringside.emulator.transport;

import org.ringside.mlx5.layout.WqeLayout;

/**
 * Where the work queues of a QP lie in host memory.
 *
 * <pre>
 *   +---------------------------+-------------------------------+
 *   | receive WQEs of rqStride  | send WQEs, blocks of 64 bytes |
 *   +---------------------------+-------------------------------+
 *   0                           rqBytes()                       rqBytes() + sqBytes()
 * </pre>
 *
 * @param pages both rings, in this order
 * @param logRqSize log2 of the receive WQEs, or {@link #NONE}
 * @param rqStride bytes of a receive WQE, a power of two of at least 16
 * @param logSqSize log2 of the send blocks, or {@link #NONE}
 * @param doorbellRecord IO virtual address of two big-endian words: receive and send counter
 */
public record WorkQueues(
        PageList pages, int logRqSize, int rqStride, int logSqSize, long doorbellRecord) {
    /** Log size of a queue that does not exist. */
    public static final int NONE = -1;

    /** Bytes of a send block (WQEBB). */
    public static final int BLOCK = WqeLayout.WQEBB;

    private static final int MAX_LOG_SIZE = 15; // Counters have 16 bits; full must not look empty.
    private static final int MAX_STRIDE = 16 << 7;

    public WorkQueues {
        checkSize("receive", logRqSize);
        checkSize("send", logSqSize);
        if (rqStride < 16 || rqStride > MAX_STRIDE || Integer.bitCount(rqStride) != 1) {
            throw new IllegalArgumentException(
                    "a receive WQE has 16 to %d bytes, a power of two, not %d"
                            .formatted(MAX_STRIDE, rqStride));
        }
        long needed = bytes(logRqSize, rqStride) + bytes(logSqSize, BLOCK);
        if (needed > pages.length()) {
            throw new IllegalArgumentException(
                    "work queues of 0x%x bytes are not in %s".formatted(needed, pages));
        }
        if ((doorbellRecord & 7) != 0) {
            throw new IllegalArgumentException(
                    "doorbell record at IOVA 0x%x is not 8-byte aligned".formatted(doorbellRecord));
        }
    }

    /** Bytes of the receive queue, where the send queue starts. */
    public long rqBytes() {
        return bytes(logRqSize, rqStride);
    }

    /** Bytes of the send queue. */
    public long sqBytes() {
        return bytes(logSqSize, BLOCK);
    }

    private static void checkSize(String name, int logSize) {
        if (logSize < NONE || logSize > MAX_LOG_SIZE) {
            throw new IllegalArgumentException(
                    "%s queue of 2^%d entries: at most 2^%d"
                            .formatted(name, logSize, MAX_LOG_SIZE));
        }
    }

    private static long bytes(int logSize, int entry) {
        return logSize == NONE ? 0 : (long) entry << logSize;
    }
}
