package org.ringside.mlx5;

import static org.ringside.mlx5.layout.WqeLayout.DATA_SIZE;
import static org.ringside.mlx5.layout.WqeLayout.WQEBB;

import org.ringside.verbs.QpOptions;
import org.ringside.verbs.VerbsException;

/**
 * Sizes of the two rings of a QP, which share one buffer: receive entries first, then send blocks.
 *
 * @param recvLog log2 of receive entries
 * @param recvStrideLog log2 of the bytes of one
 * @param sendLog log2 of send blocks
 */
record QpShape(int recvLog, int recvStrideLog, int sendLog) {
    /** What the QP context's 4-bit fields and the 16-bit counters allow. */
    static final int MAX_LOG = 15;

    static QpShape of(String device, QpOptions options) throws VerbsException {
        int strideLog = log2(options.recvSges() * DATA_SIZE);
        int recvLog = log2(options.recvWrs());
        while (recvLog + strideLog < log2(WQEBB)) {
            recvLog++;
        }
        int blocks = SendQueue.Config.blocksOf(options.sendSges(), options.inlineBytes());
        int sendLog = log2(Math.multiplyExact(options.sendWrs(), blocks));
        if (sendLog > MAX_LOG || recvLog > MAX_LOG) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    ("%s: %d send work requests of %d blocks and %d receives do not fit, a queue has"
                                    + " at most %d blocks; ask for fewer, or for less inline data")
                            .formatted(
                                    device,
                                    options.sendWrs(),
                                    blocks,
                                    options.recvWrs(),
                                    1 << MAX_LOG));
        }
        return new QpShape(recvLog, strideLog, sendLog);
    }

    /** Rounded up. */
    static int log2(int value) {
        return value <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(value - 1);
    }

    /** Bytes before the send ring. */
    int sendOffset() {
        return 1 << recvLog + recvStrideLog;
    }

    int bytes() {
        return sendOffset() + (WQEBB << sendLog);
    }
}
