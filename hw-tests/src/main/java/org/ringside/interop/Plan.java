package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * Traffic that both ends know beforehand, so that each byte of it can be verified wherever it
 * arrives: message {@code i} is of kind {@code i % 7}, of a size and with contents that follow from
 * {@code i}. The other end of it is hw-tests/vm/guest/exchange.py.
 *
 * <pre>
 *   memory of either end, in slots of 16 KiB
 *   PATTERN    contents of all messages, where they are sent from; read by the peer
 *   LANDING    what our READs and atomics bring, a slot for each in the window
 *   RECEIVED   what the peer SENDs, a slot for each receive
 *   WRITTEN    what the peer WRITEs and reads back
 *   NOTIFIED   what it WRITEs with immediate data
 *   COUNTER    it adds i + 1
 *   CHAIN      it swaps in i * STEP for what it swapped in before; each fourth with a wrong guess
 * </pre>
 *
 * Within a window nothing of a slot is still under way when it is used again: {@link #NOTIFIED} has
 * twice as many as there are receives, since the first packets of such a message need none.
 */
final class Plan {
    /** What message {@code i} is; immediate data is always {@code i}. */
    enum Kind {
        SEND_IMMEDIATE,
        WRITE,
        READ_BACK,
        WRITE_IMMEDIATE,
        READ,
        FETCH_ADD,
        COMPARE_SWAP;

        private static final Kind[] VALUES = values();

        boolean isAtomic() {
            return this == FETCH_ADD || this == COMPARE_SWAP;
        }
    }

    static final int SLOT = 16 << 10;
    static final int WINDOW = 16;
    static final int RECEIVES = 16;
    static final int NOTIFICATIONS = 2 * RECEIVES;
    static final int READS_AND_ATOMICS = 8;

    static final long PATTERN = 0;
    static final long LANDING = 128 << 10;
    static final long RECEIVED = LANDING + WINDOW * SLOT;
    static final long WRITTEN = RECEIVED + RECEIVES * SLOT;
    static final long NOTIFIED = WRITTEN + WINDOW * SLOT;
    static final long COUNTER = NOTIFIED + NOTIFICATIONS * SLOT;
    static final long CHAIN = COUNTER + 64;
    static final long BYTES = COUNTER + 4096;

    static final int KINDS = Kind.VALUES.length;

    /** Of these compare-and-swaps one guesses wrong, and must change nothing. */
    static final int GUESSES = 4;

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final int PATTERNS = 8192;
    private static final int[] LIMITS = {256, 256, 256, 256, 256, 256, 4096, 4096, 4096, SLOT};

    private Plan() {}

    static Kind kind(int i) {
        return Kind.VALUES[i % KINDS];
    }

    /** Bytes of message {@code i}; most are short. */
    static int size(int i) {
        int mixed = (int) (i * STEP >>> 40);
        return 1 + mixed / 16 % LIMITS[mixed % LIMITS.length];
    }

    /** Where the contents of message {@code i} begin: they overlap, no two are alike. */
    static long pattern(int i) {
        return PATTERN + (long) Long.BYTES * (i % PATTERNS);
    }

    static long landing(int i) {
        return LANDING + (long) i % WINDOW * SLOT;
    }

    static long written(int i) {
        return WRITTEN + (long) (i / KINDS) % WINDOW * SLOT;
    }

    /** Messages with immediate data among the first {@code messages}. */
    static int notifications(int messages) {
        int rest = messages % KINDS;
        return messages / KINDS * 2
                + (rest > Kind.SEND_IMMEDIATE.ordinal() ? 1 : 0)
                + (rest > Kind.WRITE_IMMEDIATE.ordinal() ? 1 : 0);
    }

    /**
     * @param notification number of the message among those with immediate data
     */
    static long notified(int notification) {
        return NOTIFIED + (long) notification % NOTIFICATIONS * SLOT;
    }

    static long swapped(int i) {
        return i * STEP;
    }

    /** Fills the pattern area. */
    static void prepare(MemorySegment memory) {
        for (int k = 0; k < PATTERNS + SLOT / Long.BYTES; k++) {
            memory.set(JAVA_LONG_UNALIGNED, PATTERN + (long) k * Long.BYTES, k * STEP);
        }
    }

    /** Fails unless the contents of message {@code i} are there. */
    static void verify(String what, int i, MemorySegment memory, long offset) {
        int size = size(i);
        long at =
                MemorySegment.mismatch(
                        memory, offset, offset + size, memory, pattern(i), pattern(i) + size);
        if (at >= 0) {
            throw new IllegalStateException(
                    "%s %d: byte %d of %d is 0x%02x, expected 0x%02x"
                            .formatted(
                                    what,
                                    i,
                                    at,
                                    size,
                                    memory.get(JAVA_BYTE, offset + at),
                                    memory.get(JAVA_BYTE, pattern(i) + at)));
        }
    }
}
