package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/** Patterns that tell where a byte came from. */
final class Bytes {
    private Bytes() {}

    /** Fills a range with bytes that depend on the seed. */
    static void fill(MemorySegment memory, long offset, long length, long seed) {
        byte[] bytes = pattern(length, seed);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
    }

    /** Asserts that a range holds what {@link #fill} wrote with that seed. */
    static void expect(MemorySegment memory, long offset, long length, long seed) {
        assertThat(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                .as("bytes [%d, %d)", offset, offset + length)
                .isEqualTo(pattern(length, seed));
    }

    /** Asserts that a range is zero: nothing was written there. */
    static void expectZero(MemorySegment memory, long offset, long length) {
        assertThat(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                .as("bytes [%d, %d)", offset, offset + length)
                .containsOnly(0);
    }

    private static byte[] pattern(long length, long seed) {
        byte[] bytes = new byte[Math.toIntExact(length)];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
