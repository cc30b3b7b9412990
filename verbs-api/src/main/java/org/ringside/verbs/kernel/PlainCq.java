package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.WcOpcode;

/** A CQ that is polled by poll_cq, several struct ibv_wc at once, which the cursor goes through. */
final class PlainCq extends KernelCq {
    private static final int BATCH = 16;

    private final MemorySegment pollCq;
    private final Arena arena = Arena.ofShared();
    private final long batch = arena.allocate(BATCH * Abi.Wc.SIZE, 64).address();
    private final long flushed = arena.allocate(Abi.Wc.SIZE, 8).address();

    /** The completion that the cursor stands at, the next one, and the end of those polled. */
    private long at = flushed;

    private long next = batch;
    private long end = batch;

    PlainCq(KernelContext context, long cq, @Nullable KernelChannel channel) {
        super(context, cq, channel);
        this.pollCq = context.operation(Abi.Context.OPS_POLL_CQ);
    }

    @Override
    public boolean startPoll() {
        return nextPoll();
    }

    @Override
    public boolean nextPoll() {
        do {
            while (next != end) {
                long wc = next;
                next = wc + Abi.Wc.SIZE;
                if (accept(Raw.getLong(wc + Abi.Wc.WR_ID), Raw.getInt(wc + Abi.Wc.STATUS))) {
                    at = wc;
                    return true;
                }
            }
        } while (refill());
        if (flushOne()) {
            at = flushed;
            return true;
        }
        return false;
    }

    private boolean refill() {
        int polled = Calls.poll(pollCq, cq, BATCH, batch);
        if (polled <= 0) {
            return false;
        }
        next = batch;
        end = batch + (long) polled * Abi.Wc.SIZE;
        return true;
    }

    /** What was seen has been consumed, and what was polled beyond stays for the next round. */
    @Override
    public void endPoll() {}

    @Override
    public WcOpcode opcode() {
        return opcodeOf(Raw.getInt(at + Abi.Wc.OPCODE));
    }

    @Override
    public long byteLength() {
        return lengthOf(Raw.getInt(at + Abi.Wc.OPCODE), Raw.getInt(at + Abi.Wc.BYTE_LEN));
    }

    @Override
    public boolean hasImmediate() {
        return hasImmediateIn(Raw.getInt(at + Abi.Wc.WC_FLAGS));
    }

    @Override
    public int immediate() {
        return Integer.reverseBytes(Raw.getInt(at + Abi.Wc.IMM_DATA));
    }

    @Override
    public int qpNumber() {
        return isFlushed() ? flushedQp() : Raw.getInt(at + Abi.Wc.QP_NUM);
    }

    @Override
    public int vendorError() {
        return vendorErrorOr(Raw.getInt(at + Abi.Wc.VENDOR_ERR));
    }

    @Override
    void closeMemory() {
        arena.close();
    }
}
