package org.ringside.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * The XOR checks of the command interface (Adapters PRM, Command Interface; Linux cmd.c): the bytes
 * of an entry, of a mailbox, and of a mailbox's control part each give 0xff in all.
 */
final class Signatures {
    static final int GOOD = 0xff;

    private Signatures() {}

    /** XOR of bytes {@code [from, to)}. */
    static int xor(MemorySegment segment, long from, long to) {
        int sum = 0;
        for (long i = from; i < to; i++) {
            sum ^= segment.get(JAVA_BYTE, i);
        }
        return sum & 0xff;
    }

    /** The byte that makes the XOR of the range, with this byte in place of a zero, good. */
    static int complement(MemorySegment segment, long from, long to) {
        return ~xor(segment, from, to) & 0xff;
    }
}
