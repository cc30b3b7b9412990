package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a ring or a doorbell record: the only way in which the data path touches what it shares
 * with the device. Numbers are big endian there. Stores are plain unless their name says more.
 *
 * <p>Abstract so that a test can record the order of stores; there is one implementation otherwise,
 * which the JIT therefore inlines.
 *
 * <p>Offsets are multiples of the access's width. They are not checked: who makes a ring checks
 * once with {@link #require} that it is large enough for all of them.
 */
public abstract class RingMemory {
    RingMemory() {}

    /**
     * A ring in this memory, whose addresses must be valid as long as the segment is reachable:
     * that of an automatic arena or the global one, or {@link
     * org.ringside.vfio.DmaMemory#enduring()}.
     */
    public static RingMemory of(MemorySegment segment) {
        return new MappedRing(segment);
    }

    /** Bytes. */
    public abstract long size();

    /** Fails unless it holds so many bytes from there. */
    final void require(long offset, long bytes, String what) {
        if (offset < 0 || bytes < 0 || offset > size() - bytes) {
            throw new IllegalArgumentException(
                    "%s takes bytes %d to %d of a ring of %d"
                            .formatted(what, offset, offset + bytes - 1, size()));
        }
    }

    abstract void putLong(long offset, long value);

    abstract void putInt(long offset, int value);

    /** A single store that comes after all stores before it. */
    abstract void putIntRelease(long offset, int value);

    abstract long getLong(long offset);

    /** A single load that comes before all loads after it. */
    abstract long getLongAcquire(long offset);

    abstract int getInt(long offset);

    /** Copies bytes in as they are. */
    abstract void copyIn(long offset, MemorySegment from, long fromOffset, long length);
}
