package org.ringside.mlx5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.ringside.linux.SystemCalls;

/**
 * A ring in native memory, by address: one segment that spans the whole address space stands for
 * all memory, so that an access is a bare load or store. The checks of a segment of its own
 * (bounds, owner, whether it is alive) would be the larger part of a post. Neither is needed here:
 * the memory lives as long as this object, and rings check once, when they are made, that their
 * memory holds all that their masks let through. Assertions check each access nevertheless.
 */
final class MappedRing extends RingMemory {
    private static final MemorySegment MEMORY =
            SystemCalls.host().memoryAt(0, Long.MAX_VALUE, Arena.global(), null);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG_HANDLE =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle INT_HANDLE =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

    /** Keeps the memory there. */
    private final MemorySegment segment;

    private final long base;
    private final long longs;
    private final long ints;

    MappedRing(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("a ring needs native memory");
        }
        this.segment = segment;
        this.base = segment.address();
        this.longs = Math.max(0, segment.byteSize() - Long.BYTES + 1);
        this.ints = Math.max(0, segment.byteSize() - Integer.BYTES + 1);
    }

    private long atLong(long offset) {
        assert Objects.checkIndex(offset, longs) >= 0;
        return base + offset;
    }

    private long atInt(long offset) {
        assert Objects.checkIndex(offset, ints) >= 0;
        return base + offset;
    }

    @Override
    public long size() {
        return segment.byteSize();
    }

    @Override
    void putLong(long offset, long value) {
        MEMORY.set(LONG, atLong(offset), value);
    }

    @Override
    void putInt(long offset, int value) {
        MEMORY.set(INT, atInt(offset), value);
    }

    @Override
    void putIntRelease(long offset, int value) {
        INT_HANDLE.setRelease(MEMORY, atInt(offset), value);
    }

    @Override
    long getLong(long offset) {
        return MEMORY.get(LONG, atLong(offset));
    }

    @Override
    long getLongAcquire(long offset) {
        return (long) LONG_HANDLE.getAcquire(MEMORY, atLong(offset));
    }

    @Override
    int getInt(long offset) {
        return MEMORY.get(INT, atInt(offset));
    }

    @Override
    void copyIn(long offset, MemorySegment from, long fromOffset, long length) {
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        MemorySegment.copy(from, fromOffset, MEMORY, base + offset, length);
    }
}
