package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The receive half of a QP: struct ibv_recv_wr. */
final class ReceiveQueue extends WorkQueue {
    private final MemorySegment postRecv;
    private final long qp;

    ReceiveQueue(
            Arena arena,
            int capacity,
            int maxSges,
            long maxMessage,
            MemorySegment postRecv,
            long qp) {
        super(arena, capacity, Abi.RecvWr.SIZE, maxSges, maxMessage);
        this.postRecv = postRecv;
        this.qp = qp;
    }

    /** Ends the request before and begins one. */
    void begin(long wrId) {
        beginRequest(wrId);
    }

    @Override
    protected int post(long first) {
        return Calls.post(postRecv, qp, first, bad());
    }
}
