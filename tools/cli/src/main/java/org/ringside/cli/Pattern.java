package org.ringside.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Contents by which every byte of every message can be told from that of another message or place.
 */
final class Pattern {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private Pattern() {}

    static void fill(MemorySegment memory, long seed) {
        long size = memory.byteSize();
        long value = seed * STEP;
        long at = 0;
        for (; at + Long.BYTES <= size; at += Long.BYTES) {
            memory.set(JAVA_LONG_UNALIGNED, at, value);
            value += STEP;
        }
        for (int shift = 0; at < size; at++, shift += Byte.SIZE) {
            memory.set(JAVA_BYTE, at, (byte) (value >>> shift));
        }
    }

    static void verify(MemorySegment memory, long seed) {
        long size = memory.byteSize();
        long value = seed * STEP;
        long at = 0;
        for (; at + Long.BYTES <= size; at += Long.BYTES) {
            if (memory.get(JAVA_LONG_UNALIGNED, at) != value) {
                throw wrong(seed, at, memory.get(JAVA_LONG_UNALIGNED, at), value);
            }
            value += STEP;
        }
        for (int shift = 0; at < size; at++, shift += Byte.SIZE) {
            if (memory.get(JAVA_BYTE, at) != (byte) (value >>> shift)) {
                throw wrong(seed, at, memory.get(JAVA_BYTE, at), (byte) (value >>> shift));
            }
        }
    }

    private static CommandFailedException wrong(long seed, long at, long found, long expected) {
        return new CommandFailedException(
                "data is wrong: message %d has 0x%x at byte %d, expected 0x%x"
                        .formatted(seed, found, at, expected));
    }
}
