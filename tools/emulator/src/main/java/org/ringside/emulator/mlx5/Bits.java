package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Big-endian words in memory that no table names. */
final class Bits {
    private static final ValueLayout.OfLong BE64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private Bits() {}

    static long big64(MemorySegment segment, long offset) {
        return segment.get(BE64, offset);
    }

    static void big64(MemorySegment segment, long offset, long value) {
        segment.set(BE64, offset, value);
    }
}
