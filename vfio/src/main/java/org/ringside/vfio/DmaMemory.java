package org.ringside.vfio;

import java.lang.foreign.MemorySegment;

/** Memory that this process and the device share, made by {@link DmaSpace#allocate}. */
public interface DmaMemory extends AutoCloseable {
    /** The memory; fails with {@link IllegalStateException} once the device is closed. */
    MemorySegment segment();

    /**
     * The same memory at addresses that stay valid as long as the returned segment is reachable,
     * also after {@link #close()} and after the device was closed. For rings, which are accessed by
     * bare address: a late access must not abort the JVM. It then reaches memory that may be
     * another piece's, or none that the device sees.
     */
    MemorySegment enduring();

    /** Where the device sees its first byte. */
    long iova();

    /** Bytes. */
    default long size() {
        return segment().byteSize();
    }

    /** Gives it back. The device must not use it any more. Closing twice is harmless. */
    @Override
    void close();
}
