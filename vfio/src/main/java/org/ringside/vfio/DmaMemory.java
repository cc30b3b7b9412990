package org.ringside.vfio;

import java.lang.foreign.MemorySegment;

/** Memory that this process and the device share, made by {@link DmaSpace#allocate}. */
public interface DmaMemory extends AutoCloseable {
    /** The memory; fails with {@link IllegalStateException} once the device is closed. */
    MemorySegment segment();

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
