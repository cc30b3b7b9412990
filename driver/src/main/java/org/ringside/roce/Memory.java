package org.ringside.roce;

import java.lang.foreign.MemorySegment;

/**
 * The memory behind keys. Each access is checked anew, so that a key that was invalidated in the
 * middle of a message protects at once. An access is refused as a whole or done as a whole.
 *
 * <p>A range of length 0 is never looked at: neither its key nor its address need exist (IBTA
 * 9.7.4.1.3).
 */
public interface Memory {
    /** Right: the device reads for the QP's own work requests. */
    int LOCAL_READ = 1;

    /** Right: the device writes for the QP's own work requests. */
    int LOCAL_WRITE = 1 << 1;

    /** Right: the peer READs. */
    int REMOTE_READ = 1 << 2;

    /** Right: the peer WRITEs. */
    int REMOTE_WRITE = 1 << 3;

    /** Right: the peer does atomics. */
    int REMOTE_ATOMIC = 1 << 4;

    /** Whether the QP may use the whole range by this key for this. */
    boolean permits(int pd, int qpn, int key, int right, long address, long length);

    /**
     * Copies out of the range.
     *
     * @return false when it may not be used, or cannot be reached; then nothing was copied
     */
    boolean read(
            int pd,
            int qpn,
            int key,
            int right,
            long address,
            MemorySegment into,
            long offset,
            int length);

    /**
     * Copies into the range.
     *
     * @return false when it may not be used, or cannot be reached; then nothing was written
     */
    boolean write(
            int pd,
            int qpn,
            int key,
            int right,
            long address,
            MemorySegment from,
            long offset,
            int length);

    /**
     * Adds to 8 aligned bytes in host order, atomically to all other atomics; the value before is
     * in {@link #original()}.
     *
     * @return false when they may not be used
     */
    boolean fetchAdd(int pd, int qpn, int key, long address, long add);

    /**
     * Swaps 8 aligned bytes in host order if they equal {@code compare}; the value before is in
     * {@link #original()}.
     *
     * @return false when they may not be used
     */
    boolean compareSwap(int pd, int qpn, int key, long address, long compare, long swap);

    /** What the last atomic found. */
    long original();

    /**
     * Ends the use of a key that may be invalidated, for SEND with invalidate and local
     * invalidation.
     *
     * @param remote whether the peer asks
     * @return false when there is no such key of this PD, or it cannot be invalidated
     */
    boolean invalidate(int pd, int qpn, int key, boolean remote);

    /**
     * Binds a memory window for a work request.
     *
     * @return false when window or region do not allow it
     */
    boolean bind(int pd, int qpn, SendRequest request);
}
