package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.WcOpcode;

/**
 * A CQ that is read in place by the function pointers of struct ibv_cq_ex. Its cursor is the
 * library's: between start_poll and end_poll, which some libraries guard by a lock.
 */
final class ExtendedCq extends KernelCq {
    private final MemorySegment startPoll;
    private final MemorySegment nextPoll;
    private final MemorySegment endPoll;
    private final MemorySegment readOpcode;
    private final MemorySegment readVendorError;
    private final MemorySegment readByteLength;
    private final MemorySegment readImmediate;
    private final MemorySegment readQpNumber;
    private final MemorySegment readFlags;
    private final Arena arena = Arena.ofShared();
    private final long pollAttributes = arena.allocate(Abi.PollCqAttr.SIZE, 8).address();
    private boolean inRound;

    ExtendedCq(KernelContext context, long cq, @Nullable KernelChannel channel) {
        super(context, cq, channel);
        startPoll = Raw.function(cq + Abi.CqEx.START_POLL);
        nextPoll = Raw.function(cq + Abi.CqEx.NEXT_POLL);
        endPoll = Raw.function(cq + Abi.CqEx.END_POLL);
        readOpcode = Raw.function(cq + Abi.CqEx.READ_OPCODE);
        readVendorError = Raw.function(cq + Abi.CqEx.READ_VENDOR_ERR);
        readByteLength = Raw.function(cq + Abi.CqEx.READ_BYTE_LEN);
        readImmediate = Raw.function(cq + Abi.CqEx.READ_IMM_DATA);
        readQpNumber = Raw.function(cq + Abi.CqEx.READ_QP_NUM);
        readFlags = Raw.function(cq + Abi.CqEx.READ_WC_FLAGS);
    }

    @Override
    public boolean startPoll() {
        if (inRound) {
            return nextPoll();
        }
        if (Calls.startPoll(startPoll, cq, pollAttributes) != 0) {
            return flushOne();
        }
        inRound = true;
        if (acceptOrSkip()) {
            return true;
        }
        endPoll();
        return flushOne();
    }

    @Override
    public boolean nextPoll() {
        if (inRound && Calls.read(nextPoll, cq) == 0 && acceptOrSkip()) {
            return true;
        }
        return context.isLost() && flushInstead();
    }

    /** In a round that the device ended: the rest comes from us. */
    private boolean flushInstead() {
        endPoll();
        return flushOne();
    }

    private boolean acceptOrSkip() {
        do {
            if (accept(Raw.getLong(cq + Abi.CqEx.WR_ID), Raw.getInt(cq + Abi.CqEx.STATUS))) {
                return true;
            }
        } while (Calls.read(nextPoll, cq) == 0);
        return false;
    }

    @Override
    public void endPoll() {
        if (inRound) {
            inRound = false;
            Calls.run(endPoll, cq);
        }
    }

    /** Nothing is to be read behind the end of a round, nor of what the device did not make. */
    private int read(MemorySegment function) {
        return inRound && !isFlushed() ? Calls.read(function, cq) : 0;
    }

    @Override
    public WcOpcode opcode() {
        return opcodeOf(read(readOpcode));
    }

    @Override
    public long byteLength() {
        return lengthOf(read(readOpcode), read(readByteLength));
    }

    @Override
    public boolean hasImmediate() {
        return hasImmediateIn(read(readFlags));
    }

    @Override
    public int immediate() {
        return Integer.reverseBytes(read(readImmediate));
    }

    @Override
    public int qpNumber() {
        return isFlushed() ? flushedQp() : read(readQpNumber);
    }

    @Override
    public int vendorError() {
        return vendorErrorOr(read(readVendorError));
    }

    @Override
    void closeMemory() {
        arena.close();
    }
}
