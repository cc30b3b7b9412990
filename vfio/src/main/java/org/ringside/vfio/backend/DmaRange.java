package org.ringside.vfio.backend;

import java.lang.foreign.MemorySegment;

/**
 * One range that the IOMMU, or the peer, is to map. All of it is in whole pages.
 *
 * @param iova where the device sees it
 * @param address where this process sees it
 * @param size bytes
 * @param writable whether the device may write it; it may read it always
 * @param fd file that holds it, for a peer that maps it too; -1 when it is memory of the
 *     application
 * @param fileOffset where in that file
 * @param memory what was asked for; it begins in the first page of the range and ends in the last
 */
public record DmaRange(
        long iova,
        long address,
        long size,
        boolean writable,
        int fd,
        long fileOffset,
        MemorySegment memory) {
    /** No file holds it. */
    public static final int NO_FD = -1;

    @Override
    public String toString() {
        return "IOVA 0x%x, %d bytes, address 0x%x, %s"
                .formatted(iova, size, address, writable ? "read/write" : "read only");
    }
}
