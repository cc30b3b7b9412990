package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one side of a message: pieces under keys, or bytes that stand in the WQE itself.
 * Reused for each message.
 */
final class SgList {
    static final int MAX_PIECES = 128;

    private final @Nullable MkeyState[] keys = new @Nullable MkeyState[MAX_PIECES];

    /** Virtual address under the key, or offset in the inline segment. */
    private final long[] addresses = new long[MAX_PIECES];

    private final long[] lengths = new long[MAX_PIECES];
    private final MemorySegment inline;
    private int size;
    private long length;

    /**
     * @param inline where pieces without key are
     */
    SgList(MemorySegment inline) {
        this.inline = inline;
    }

    void clear() {
        size = 0;
        length = 0;
    }

    void add(MkeyState key, long va, long bytes) {
        keys[size] = key;
        append(va, bytes);
    }

    void addInline(long offset, long bytes) {
        keys[size] = null;
        append(offset, bytes);
    }

    private void append(long address, long bytes) {
        addresses[size] = address;
        lengths[size] = bytes;
        size++;
        length += bytes;
    }

    int size() {
        return size;
    }

    /** Bytes of all pieces. */
    long length() {
        return length;
    }

    @Nullable MkeyState key(int piece) {
        return keys[piece];
    }

    long address(int piece) {
        return addresses[piece];
    }

    long length(int piece) {
        return lengths[piece];
    }

    MemorySegment inline() {
        return inline;
    }
}
