package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Words of the device's structures, which are big endian whatever the CPU is. */
final class BigEndian {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);
    private static final VarHandle WORD = INT.varHandle();
    private static final boolean SWAP = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private BigEndian() {}

    static int getInt(MemorySegment segment, long offset) {
        return segment.get(INT, offset);
    }

    static void putInt(MemorySegment segment, long offset, int value) {
        segment.set(INT, offset, value);
    }

    static long getLong(MemorySegment segment, long offset) {
        return segment.get(LONG, offset);
    }

    static void putLong(MemorySegment segment, long offset, long value) {
        segment.set(LONG, offset, value);
    }

    static int getAcquire(MemorySegment segment, long offset) {
        return (int) WORD.getAcquire(segment, offset);
    }

    static void setRelease(MemorySegment segment, long offset, int value) {
        WORD.setRelease(segment, offset, value);
    }

    /** A word between CPU order and big endian. */
    static int word(int value) {
        return SWAP ? Integer.reverseBytes(value) : value;
    }
}
