package org.ringside.roce;

import java.lang.foreign.MemorySegment;

/** Scatter/gather list of a work request: pieces of memory that hold one message. */
public final class SgeList {
    private final int[] keys;
    private final long[] addresses;
    private final long[] lengths;
    private int count;
    private long total;

    /**
     * @param max entries that it can hold
     */
    public SgeList(int max) {
        keys = new int[max];
        addresses = new long[max];
        lengths = new long[max];
    }

    /** Removes all entries. */
    public void clear() {
        count = 0;
        total = 0;
    }

    /**
     * Appends a piece.
     *
     * @param length in bytes, not negative; empty pieces are left out
     * @throws IndexOutOfBoundsException when the list is full
     */
    public void add(int key, long address, long length) {
        if (length == 0) {
            return;
        }
        keys[count] = key;
        addresses[count] = address;
        lengths[count] = length;
        count++;
        total += length;
    }

    /** Bytes of all pieces. */
    public long total() {
        return total;
    }

    /**
     * Copies bytes of the message out of memory.
     *
     * @param skip offset in the message
     * @return false when a piece may not be read
     */
    boolean gather(Memory memory, RoceQp qp, long skip, MemorySegment into, long at, int bytes) {
        return move(memory, qp, false, skip, into, at, bytes);
    }

    /**
     * Copies bytes of the message into memory. The caller has checked that the list is long enough.
     *
     * @param skip offset in the message
     * @return false when a piece may not be written
     */
    boolean scatter(Memory memory, RoceQp qp, long skip, MemorySegment from, long at, int bytes) {
        return move(memory, qp, true, skip, from, at, bytes);
    }

    private boolean move(
            Memory memory,
            RoceQp qp,
            boolean toMemory,
            long skip,
            MemorySegment packet,
            long at,
            int bytes) {
        long before = 0;
        int done = 0;
        for (int i = 0; i < count && done < bytes; i++) {
            long inPiece = skip + done - before;
            if (inPiece < lengths[i]) {
                int chunk = (int) Math.min(bytes - done, lengths[i] - inPiece);
                long address = addresses[i] + inPiece;
                int pd = qp.pd();
                int qpn = qp.number();
                int key = keys[i];
                boolean moved =
                        toMemory
                                ? memory.write(
                                        pd,
                                        qpn,
                                        key,
                                        Memory.LOCAL_WRITE,
                                        address,
                                        packet,
                                        at + done,
                                        chunk)
                                : memory.read(
                                        pd,
                                        qpn,
                                        key,
                                        Memory.LOCAL_READ,
                                        address,
                                        packet,
                                        at + done,
                                        chunk);
                if (!moved) {
                    return false;
                }
                done += chunk;
            }
            before += lengths[i];
        }
        return true;
    }
}
