package org.ringside.emulator.mlx5;

import java.util.Arrays;
import org.ringside.emulator.device.HostMemory;
import org.ringside.emulator.transport.PageList;

/**
 * Memory that was told to the device once, and that rings and doorbell records then name by an
 * offset (CREATE_UMEM). It lives as long as one of them does.
 *
 * <p>Not all of it need be mapped: rdma-core's VFIO driver describes it by one page that is large
 * enough. What an object uses is checked when the object is made.
 */
final class UserMemory extends HwObject {
    /** Of a CQ and of a send queue; none may cross a page. */
    private static final int ENTRY = 64;

    private final long[] pages;
    private final int pageShift;
    private final long start;
    private final long length;
    private final boolean writable;

    /**
     * @param pages IO virtual addresses
     * @param pageShift log2 of a page's bytes
     * @param start bytes in the first page before the memory
     * @param writable whether the device may write all of it; it may read in any case
     */
    UserMemory(long[] pages, int pageShift, long start, boolean writable) {
        this.pages = pages;
        this.pageShift = pageShift;
        this.start = start;
        this.length = ((long) pages.length << pageShift) - start;
        this.writable = writable;
    }

    /** A ring in it; the device must be able to reach all its bytes. */
    RingPages ring(long offset, long bytes, boolean written, HostMemory dma) {
        if (written && !writable) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "umem 0x%x is read-only", index());
        }
        PageList ring = at(offset, bytes);
        if ((ring.iova(0) & ENTRY - 1) != 0) {
            throw Refusal.of(
                    Reason.BAD_ADDRESS,
                    "a ring at 0x%x of umem 0x%x is at IOVA 0x%x, not aligned to %d bytes",
                    offset,
                    index(),
                    ring.iova(0),
                    ENTRY);
        }
        RingPages.checkMapped(ring, bytes, written, dma);
        return new RingPages(new long[0], ring);
    }

    private PageList at(long offset, long bytes) {
        if (offset < 0 || offset > length - bytes) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "0x%x bytes at 0x%x of umem 0x%x, which has 0x%x",
                    bytes,
                    offset,
                    index(),
                    length);
        }
        long from = start + offset;
        int first = (int) (from >>> pageShift);
        return new PageList(
                Arrays.copyOfRange(pages, first, pages.length),
                pageShift,
                from & (1L << pageShift) - 1,
                bytes);
    }

    /** IO virtual address of a doorbell record in it. */
    long record(long offset, HostMemory dma) {
        return RingPages.record(at(offset, Long.BYTES).iova(0), dma);
    }
}
