package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.roce.SgeList;

/**
 * A receive WQE: pieces to scatter to, of which as many are checked as the message needs. It ends
 * with the stride, or with a piece of count 0 and the invalid lkey 0x100. Reused for each message.
 */
final class ReceiveWqe {
    private static final int SEGMENT = 16;
    private static final int MAX_STRIDE = 2048;

    private final MemorySegment wqe = Arena.ofAuto().allocate(MAX_STRIDE, WorkQueues.BLOCK);
    private final KeyCheck keys;

    /** Where the message goes; its length is at least the message's. */
    final SgList pieces = new SgList(wqe);

    private @Nullable String problem;

    ReceiveWqe(KeyCheck keys) {
        this.keys = keys;
    }

    String problem() {
        return String.valueOf(problem);
    }

    /**
     * Fetches the WQE at a counter, as far as a message needs it.
     *
     * @return {@link Syndrome#NONE}, or why the receiver cannot take the message
     */
    int fetch(QpState qp, HostRing ring, int counter, long length) {
        WorkQueues queues = qp.queues;
        int stride = queues.rqStride();
        long start = (long) (counter & (1 << queues.logRqSize()) - 1) * stride;
        return scatter(ring, start, 0, stride, qp.pd, qp.qpn, length);
    }

    /** As above, of a shared queue, whose WQEs start with a segment of their own. */
    int fetch(QpState qp, SrqState srq, int index, long length) {
        return scatter(srq.ring(), srq.offset(index), SEGMENT, srq.stride, srq.pd, qp.qpn, length);
    }

    /** Reads the WQE at a counter whole, without looking at its keys. */
    void readAll(QpState qp, HostRing ring, int counter, SgeList into) {
        int stride = qp.queues.rqStride();
        readAll(
                ring,
                (long) (counter & (1 << qp.queues.logRqSize()) - 1) * stride,
                0,
                stride,
                into);
    }

    /** As above, of a shared queue. */
    void readAll(SrqState srq, int index, SgeList into) {
        readAll(srq.ring(), srq.offset(index), SEGMENT, srq.stride, into);
    }

    private void readAll(HostRing ring, long start, int from, int stride, SgeList into) {
        ring.read(start, wqe, 0, stride);
        for (int at = from; at < stride; at += SEGMENT) {
            int word = BigEndian.getInt(wqe, at);
            int lkey = BigEndian.getInt(wqe, at + 4L);
            if (word == 0 && lkey == WqeLayout.TERMINATE_LKEY) {
                return;
            }
            // The hardware's count 0 means 2^31, so software leaves empty pieces out.
            into.add(lkey, BigEndian.getLong(wqe, at + 8L), word == 0 ? 1L << 31 : word);
        }
    }

    private int scatter(
            HostRing ring, long start, int from, int stride, int pd, int qpn, long length) {
        pieces.clear();
        int fetched = 0;
        for (int at = from; pieces.length() < length; at += SEGMENT) {
            if (at == stride) {
                return tooShort(length);
            }
            if (at >= fetched) {
                int bytes = Math.min(WorkQueues.BLOCK, stride);
                ring.read(start + fetched, wqe, fetched, bytes);
                fetched += bytes;
            }
            int word = BigEndian.getInt(wqe, at);
            int lkey = BigEndian.getInt(wqe, at + 4L);
            if (word == 0 && lkey == WqeLayout.TERMINATE_LKEY) {
                return tooShort(length);
            }
            if (word < 0) {
                problem = "piece %d has the inline bit".formatted(pieces.size());
                return CqeSyndrome.LOCAL_QP_OP_ERR;
            }
            long va = BigEndian.getLong(wqe, at + 8L);
            // The hardware's count 0 means 2^31, so software leaves empty pieces out.
            long bytes = word == 0 ? 1L << 31 : word;
            MkeyState mkey = keys.allowed(pd, qpn, lkey, MkeyState.LOCAL_WRITE, va, bytes);
            if (mkey == null) {
                problem =
                        "piece %d: %s%s"
                                .formatted(
                                        pieces.size(),
                                        keys.explain(
                                                pd, qpn, lkey, MkeyState.LOCAL_WRITE, va, bytes),
                                        word == 0 ? " (byte count 0 means 2^31)" : "");
                return CqeSyndrome.LOCAL_PROT_ERR;
            }
            pieces.add(mkey, va, bytes);
        }
        return Syndrome.NONE;
    }

    private int tooShort(long length) {
        problem =
                "a message of 0x%x bytes came, there is room for 0x%x"
                        .formatted(length, pieces.length());
        return CqeSyndrome.LOCAL_LENGTH_ERR;
    }
}
