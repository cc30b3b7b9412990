package org.ringside.emulator.mlx5;

import org.ringside.emulator.device.HostMemory;
import org.ringside.emulator.transport.PageList;
import org.ringside.mlx5.layout.ArrayField;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.StructField;

/**
 * The page list of a ring: EQs, CQs and QPs describe theirs in the same way. Pages are 4 KiB
 * shifted by log_page_size; page_offset is where in the first one the ring starts, in 64ths of a
 * page.
 */
record RingPages(long[] addresses, PageList ring) {
    private static final int LOG_PAGE = 12;
    private static final int LOG_OFFSETS = 6;
    private static final int MAX_LOG_PAGE = 31;

    /**
     * Reads the list and checks it: as long as the ring needs, aligned, not at IOVA 0, mapped.
     *
     * @param context where the two fields are
     * @param list at the end of the command
     * @param bytes of the ring
     */
    static RingPages of(
            Command c,
            StructField context,
            Field logPageSize,
            Field pageOffset,
            ArrayField list,
            long bytes,
            HostMemory dma) {
        return of(c, c.get(context, logPageSize), c.get(context, pageOffset), list, bytes, dma);
    }

    /** As above, with the two fields themselves. */
    static RingPages of(
            Command c,
            long logPageSize,
            long pageOffset,
            ArrayField list,
            long bytes,
            HostMemory dma) {
        int shift = pageShift(logPageSize);
        long start = pageOffset << shift - LOG_OFFSETS;
        long[] pages = c.list(list, (int) PageList.pagesFor(start, bytes, shift));
        check(pages, shift);
        PageList ring = new PageList(pages, shift, start, bytes);
        checkMapped(ring, bytes, true, dma);
        return new RingPages(pages, ring);
    }

    /** log2 of a page's bytes, from a log_page_size field; checked. */
    static int pageShift(long logPageSize) {
        int shift = LOG_PAGE + (int) logPageSize;
        if (shift > MAX_LOG_PAGE) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "log_page_size is %d, at most %d",
                    shift - LOG_PAGE,
                    MAX_LOG_PAGE - LOG_PAGE);
        }
        return shift;
    }

    /** All bytes of a ring can be read, and written too when the device writes it. */
    static void checkMapped(PageList ring, long bytes, boolean written, HostMemory dma) {
        for (long at = 0; at < bytes; at += ring.run(at)) {
            if (!dma.isMapped(ring.iova(at), ring.run(at), written)) {
                throw Refusal.of(
                        Reason.NOT_MAPPED,
                        "0x%x bytes of the ring at IOVA 0x%x are not mapped for reading%s",
                        ring.run(at),
                        ring.iova(at),
                        written ? " and writing" : "");
            }
        }
    }

    /** Page addresses are not 0 and have no bits below the page size. */
    static void check(long[] pages, int shift) {
        for (int i = 0; i < pages.length; i++) {
            if (pages[i] == 0 || (pages[i] & (1L << shift) - 1) != 0) {
                throw Refusal.of(
                        Reason.BAD_ADDRESS,
                        "page %d is at IOVA 0x%x, pages have 0x%x bytes",
                        i,
                        pages[i],
                        1L << shift);
            }
        }
    }

    /** A doorbell record: 8 bytes, aligned, mapped. */
    static long record(long iova, HostMemory dma) {
        if (iova == 0 || (iova & 7) != 0) {
            throw Refusal.of(
                    Reason.BAD_ADDRESS, "doorbell record at IOVA 0x%x is not 8-byte aligned", iova);
        }
        if (!dma.isMapped(iova, Long.BYTES, false)) {
            throw Refusal.of(Reason.NOT_MAPPED, "doorbell record at IOVA 0x%x is not mapped", iova);
        }
        return iova;
    }
}
