package org.ringside.mlx5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.ringside.linux.SystemCalls;

/**
 * A ring in native memory, by address: one segment that spans the whole address space stands for
 * all memory, so an access is a bare load or store. Checks of bounds and life, which would be the
 * larger part of a post, are made with assertions on only, as in all tests.
 *
 * <p>Safe without them because of who uses it: offsets are masked by the ring's size, a QP that is
 * closed takes no posts ({@link SendQueue#setLimit}), and a CQ that is closed looks elsewhere
 * ({@link CompletionRing#retire}), both well before the memory goes. The memory goes with a shared
 * arena, whose close waits until every thread has reached a safepoint; compiled code of a post or a
 * poll has none between its checks and its last access.
 */
final class MappedRing extends RingMemory {
    private static final MemorySegment MEMORY =
            SystemCalls.host().memoryAt(0, Long.MAX_VALUE, Arena.global());
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG_HANDLE =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle INT_HANDLE =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

    /** Keeps the memory there; its bounds and its life are what assertions check. */
    private final MemorySegment segment;

    private final long base;

    MappedRing(MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException("a ring needs native memory");
        }
        this.segment = segment;
        this.base = segment.address();
    }

    private boolean check(long offset, long length) {
        return segment.asSlice(offset, length).scope().isAlive();
    }

    @Override
    public long size() {
        return segment.byteSize();
    }

    @Override
    void putLong(long offset, long value) {
        assert check(offset, Long.BYTES);
        MEMORY.set(LONG, base + offset, value);
    }

    @Override
    void putInt(long offset, int value) {
        assert check(offset, Integer.BYTES);
        MEMORY.set(INT, base + offset, value);
    }

    @Override
    void putIntRelease(long offset, int value) {
        assert check(offset, Integer.BYTES);
        INT_HANDLE.setRelease(MEMORY, base + offset, value);
    }

    @Override
    long getLong(long offset) {
        assert check(offset, Long.BYTES);
        return MEMORY.get(LONG, base + offset);
    }

    @Override
    long getLongAcquire(long offset) {
        assert check(offset, Long.BYTES);
        return (long) LONG_HANDLE.getAcquire(MEMORY, base + offset);
    }

    @Override
    int getInt(long offset) {
        assert check(offset, Integer.BYTES);
        return MEMORY.get(INT, base + offset);
    }

    @Override
    void copyIn(long offset, MemorySegment from, long fromOffset, long length) {
        assert check(offset, length);
        MemorySegment.copy(from, fromOffset, MEMORY, base + offset, length);
    }
}
