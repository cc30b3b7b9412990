package org.ringside.vfio;

/** Memory of the application that the device can reach, made by {@link DmaSpace#map}. */
public interface DmaMapping extends AutoCloseable {
    /** Where the device sees the first byte of the memory (not of its page). */
    long iova();

    /** Bytes of the memory (not of its pages). */
    long size();

    /**
     * Virtual address and IOVA agree in this many low bits, and the range is mapped in one piece;
     * at least 12. A device page size up to this one can describe it.
     */
    int alignmentLog2();

    /** Takes it from the device. Closing twice is harmless. */
    @Override
    void close();
}
