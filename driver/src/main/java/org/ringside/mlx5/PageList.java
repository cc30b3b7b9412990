package org.ringside.mlx5;

/**
 * The pages that describe a piece of memory to a memory key, by the page size that needs the fewest
 * without being larger than it must.
 *
 * <p>Virtual address and IOVA agree below the page size, so the device finds the place in the first
 * page by the address itself; the first page covers it.
 *
 * @param first IOVA of the first page
 * @param log log2 of the page size
 * @param count pages
 */
record PageList(long first, int log, int count) {
    private static final int LEAST_LOG = 12;

    /** Memory keys have 5 bits for it that all firmware takes. */
    private static final int MOST_LOG = 31;

    /**
     * @param iova of the first byte
     * @param length bytes, at least 1
     * @param alignmentLog2 low bits in which IOVA and address agree
     */
    static PageList of(long iova, long length, int alignmentLog2) {
        int most = Math.clamp(alignmentLog2, LEAST_LOG, MOST_LOG);
        int log = LEAST_LOG;
        while (log < most && pages(iova, length, log) > 1) {
            log++;
        }
        // Firmware takes page 0 for "none": a smaller page starts later.
        while (log > LEAST_LOG && (iova & -1L << log) == 0) {
            log--;
        }
        return new PageList(iova & -1L << log, log, Math.toIntExact(pages(iova, length, log)));
    }

    private static long pages(long iova, long length, int log) {
        return (iova + length - 1 >>> log) - (iova >>> log) + 1;
    }

    /** IOVA of page {@code index}. */
    long address(int index) {
        return first + ((long) index << log);
    }
}
