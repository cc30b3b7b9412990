package org.ringside.emulator.device;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the host as a function sees it: by IO virtual address, and only what the client has
 * mapped, with the access it allowed. Everything else is a {@link DmaFault}, and nothing was
 * transferred then, unless it was the file or the client that failed in the middle.
 *
 * <p>Order: {@code getInt}, {@code getLong} are single loads with acquire, {@code putInt}, {@code
 * putLong} single stores with release order: what was written before (by {@link #write} too) is
 * seen before, so an ownership bit publishes its CQE. Values are in CPU order.
 *
 * <p>Memory comes in three kinds, by how the client mapped it: mapped here (fast), by file I/O (a
 * system call per access), by messages to the client (a round trip per access). {@link #direct}
 * serves the first only.
 *
 * <p>Threading: the agent's thread only. No locks, and no allocation except by messages.
 */
public interface HostMemory {
    /** Reads {@code length} bytes at {@code iova} into {@code into}, from {@code offset} on. */
    void read(long iova, MemorySegment into, long offset, long length);

    /** Writes {@code length} bytes of {@code from}, from {@code offset} on, to {@code iova}. */
    void write(long iova, MemorySegment from, long offset, long length);

    /** Loads 4 aligned bytes with acquire order. */
    int getInt(long iova);

    /** Stores 4 aligned bytes with release order. */
    void putInt(long iova, int value);

    /** Loads 8 aligned bytes with acquire order. */
    long getLong(long iova);

    /** Stores 8 aligned bytes with release order. */
    void putLong(long iova, long value);

    /**
     * If 8 aligned bytes hold {@code expected}, replaces them by {@code value}. Atomic against the
     * host where the memory is mapped here, else against this device only (IBV_ATOMIC_HCA).
     *
     * @return what was there before
     */
    long compareAndSwap(long iova, long expected, long value);

    /**
     * Adds to 8 aligned bytes; atomic as {@link #compareAndSwap}. Returns what was there before.
     */
    long fetchAndAdd(long iova, long addend);

    /**
     * The memory itself when all of the range is mapped here in one piece, else null. Good until
     * {@link #generation()} changes; access to memory of an application in this JVM that closes it
     * in spite of its mapping is an {@link IllegalStateException}.
     *
     * @param write whether the device wants to write too
     * @throws DmaFault when the range cannot be reached at all
     */
    @Nullable MemorySegment direct(long iova, long length, boolean write);

    /** Whether all of the range can be reached; never faults. */
    boolean isMapped(long iova, long length, boolean write);

    /**
     * Changes whenever the client maps or unmaps something, or bus master changes; what was looked
     * up before may be stale.
     */
    int generation();
}
