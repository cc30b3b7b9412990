package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.vfio.user.Payload.DmaMap;

/**
 * What one DMA_MAP, or the rest of it after a DMA_UNMAP, gives the device. Accesses lie inside of
 * the range and are allowed; the table has checked both.
 */
abstract class DmaRange {
    private final long first;
    private final long last;
    private final int access;

    /**
     * A range.
     *
     * @param first first address
     * @param last last address, inclusive, unsigned
     * @param access {@link DmaMap#READABLE}, {@link DmaMap#WRITABLE} or both
     */
    DmaRange(long first, long last, int access) {
        this.first = first;
        this.last = last;
        this.access = access;
    }

    final long first() {
        return first;
    }

    final long last() {
        return last;
    }

    final int access() {
        return access;
    }

    /** Bytes from an address inside to the end, or Long.MAX_VALUE when there are more. */
    final long from(long iova) {
        long rest = last - iova + 1;
        return rest <= 0 ? Long.MAX_VALUE : rest;
    }

    final boolean holds(long iova) {
        return Long.compareUnsigned(iova - first, last - first) <= 0;
    }

    final boolean allows(int wanted) {
        return (access & wanted) == wanted;
    }

    /**
     * The range again with other limits, both inside; has its own reference to what is behind it.
     */
    abstract DmaRange part(long newFirst, long newLast);

    /** The file behind it, which is given back when the range goes. */
    abstract @Nullable Backing backing();

    abstract void read(long iova, MemorySegment into, long at, long length);

    abstract void write(long iova, MemorySegment from, long at, long length);

    abstract int getInt(long iova);

    abstract void putInt(long iova, int value);

    abstract long getLong(long iova);

    abstract void putLong(long iova, long value);

    /** Not atomic against the host; the agent's thread makes it so against the device. */
    long compareAndSwap(long iova, long expected, long value) {
        long was = getLong(iova);
        if (was == expected) {
            putLong(iova, value);
        }
        return was;
    }

    /** As {@link #compareAndSwap}. */
    long fetchAndAdd(long iova, long addend) {
        long was = getLong(iova);
        putLong(iova, was + addend);
        return was;
    }

    /** The memory itself, where it is mapped here. */
    @Nullable MemorySegment direct(long iova, long length) {
        return null;
    }

    @Override
    public String toString() {
        return "[0x%x, 0x%x] %s%s %s"
                .formatted(
                        first,
                        last,
                        (access & DmaMap.READABLE) == 0 ? "-" : "r",
                        (access & DmaMap.WRITABLE) == 0 ? "-" : "w",
                        kind());
    }

    /** How it is reached. */
    abstract String kind();
}
