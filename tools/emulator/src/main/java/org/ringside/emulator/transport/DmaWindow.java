package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * The part of host memory that was used last, as a segment, so that the next access near by needs
 * no look-up and no new object.
 */
final class DmaWindow {
    /** Sizes to try around an access, so that neighbours find the window open. */
    private static final int[] WIDTHS = {30, 24, 21, 16, 12};

    private final HostMemory memory;
    private @Nullable MemorySegment segment;
    private int generation;
    private boolean writable;
    private long base;
    private long size;

    DmaWindow(HostMemory memory) {
        this.memory = memory;
    }

    HostMemory memory() {
        return memory;
    }

    /**
     * The segment that holds the range at {@link #offset}; null when the range is not memory mapped
     * here in one piece, or not reachable at all.
     */
    @Nullable MemorySegment open(long iova, long length, boolean write) {
        long at = iova - base;
        if (segment != null
                && at >= 0
                && length <= size - at
                && at <= size
                && (writable || !write)
                && generation == memory.generation()) {
            return segment;
        }
        return reopen(iova, length, write);
    }

    /** Where an address lies in the open segment. */
    long offset(long iova) {
        return iova - base;
    }

    private @Nullable MemorySegment reopen(long iova, long length, boolean write) {
        segment = null;
        generation = memory.generation();
        writable = write;
        for (int width : WIDTHS) {
            long mask = (1L << width) - 1;
            long from = iova & ~mask;
            long to = (iova + length + mask) & ~mask;
            if (to - from > 0 && tryOpen(from, to - from, write)) {
                return segment;
            }
        }
        return tryOpen(iova, length, write) ? segment : null;
    }

    private boolean tryOpen(long iova, long length, boolean write) {
        if (!memory.isMapped(iova, length, write)) {
            return false;
        }
        segment = memory.direct(iova, length, write);
        base = iova;
        size = length;
        return segment != null;
    }
}
