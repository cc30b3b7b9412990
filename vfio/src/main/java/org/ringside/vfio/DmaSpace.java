package org.ringside.vfio;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The memory that a function can reach, by IO virtual address (IOVA). IOVA 0 is never handed out:
 * firmware and drivers take it for "none".
 *
 * <p>Limits are checked here before the kernel is asked, so that a refusal names its cause: usable
 * ranges and reserved windows, page size, number of mappings, locked-memory limit.
 *
 * <p>Threading: all methods may be called from any thread.
 */
public interface DmaSpace {
    /** Ranges of IOVA that the device can use, ascending, reserved windows already taken out. */
    List<IovaRange> usableRanges();

    /** Bitmap of page sizes that the IOMMU maps; the lowest set bit is the granule. */
    long pageSizes();

    /** Mappings that can still be made, {@link Integer#MAX_VALUE} when unlimited. */
    int mappingsAvailable();

    /**
     * Zeroed memory shared with the device, for rings and contexts. Requests of up to 1 MiB are
     * packed into pool blocks of 2 MiB that are mapped once; larger ones have a mapping of their
     * own. On huge pages when there are any. The IOVA is congruent to the address modulo the
     * alignment at least.
     *
     * @param size bytes, at least 1
     * @param alignment of virtual address and IOVA, a power of two
     */
    DmaMemory allocate(long size, long alignment) throws VfioException;

    /**
     * Lets the device reach memory of the application. The memory must be native and stays the
     * caller's: it must outlive the mapping. Any address and length do; whole pages around it are
     * mapped. The IOVA is congruent to the address modulo the largest power of two that helps
     * ({@link DmaMapping#alignmentLog2()}), so that devices can use large pages.
     *
     * @param writable whether the device may write it
     */
    DmaMapping map(MemorySegment memory, boolean writable) throws VfioException;

    /**
     * As {@link #map}, at an IOVA of the caller's choice, for bring-up and for devices with
     * opinions about addresses. The IOVA has to agree with the address modulo the page size.
     *
     * @param iova where the device is to see the first byte
     * @throws VfioException also when the range is reserved, in use, or beyond what the IOMMU
     *     translates
     */
    DmaMapping mapAt(long iova, MemorySegment memory, boolean writable) throws VfioException;

    /**
     * A range of IOVA.
     *
     * @param first first address
     * @param last last address, inclusive, unsigned
     */
    record IovaRange(long first, long last) {
        @Override
        public String toString() {
            return "[0x%x, 0x%x]".formatted(first, last);
        }
    }
}
