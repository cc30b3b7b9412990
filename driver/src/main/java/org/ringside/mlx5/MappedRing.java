package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** A ring in native memory. */
final class MappedRing extends RingMemory {
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG_HANDLE = LONG.varHandle();
    private static final VarHandle INT_HANDLE = INT.varHandle();

    private final MemorySegment segment;

    MappedRing(MemorySegment segment) {
        this.segment = segment;
    }

    @Override
    public long size() {
        return segment.byteSize();
    }

    @Override
    void putLong(long offset, long value) {
        segment.set(LONG, offset, value);
    }

    @Override
    void putInt(long offset, int value) {
        segment.set(INT, offset, value);
    }

    @Override
    void putIntRelease(long offset, int value) {
        INT_HANDLE.setRelease(segment, offset, value);
    }

    @Override
    long getLong(long offset) {
        return segment.get(LONG, offset);
    }

    @Override
    long getLongAcquire(long offset) {
        return (long) LONG_HANDLE.getAcquire(segment, offset);
    }

    @Override
    int getInt(long offset) {
        return segment.get(INT, offset);
    }

    @Override
    void copyIn(long offset, MemorySegment from, long fromOffset, long length) {
        MemorySegment.copy(from, fromOffset, segment, offset, length);
    }
}
