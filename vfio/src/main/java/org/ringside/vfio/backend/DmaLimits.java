package org.ringside.vfio.backend;

import java.util.ArrayList;
import java.util.List;
import org.ringside.vfio.DmaSpace.IovaRange;

/**
 * What a device's DMA can do.
 *
 * @param usable IOVA ranges, ascending
 * @param pageSizes bitmap of page sizes; the lowest is the granule
 * @param maxMappings mappings at a time, {@link Integer#MAX_VALUE} when unlimited
 * @param rangeAdvice what to do when the IOVA ranges are too small or too low
 * @param mappingsAdvice what to do when there are too many mappings
 */
public record DmaLimits(
        List<IovaRange> usable,
        long pageSizes,
        int maxMappings,
        String rangeAdvice,
        String mappingsAdvice) {
    /**
     * Leaves IOVA 0 out, aligns ranges to the granule, and cuts off what a positive long cannot
     * say.
     */
    public DmaLimits {
        if (pageSizes == 0) {
            throw new IllegalArgumentException("no page size");
        }
        long granule = Long.lowestOneBit(pageSizes);
        List<IovaRange> kept = new ArrayList<>();
        for (IovaRange range : usable) {
            long last = range.last() < 0 ? Long.MAX_VALUE : range.last();
            if (range.first() < 0 || last < granule) {
                continue;
            }
            long first = Math.max(granule, range.first() + granule - 1 & -granule);
            // The byte behind the last page; for the very last page of the space that is not a
            // long, so it stays out.
            long end = last == Long.MAX_VALUE ? last & -granule : last + 1 & -granule;
            if (first >= 0 && first < end) {
                kept.add(new IovaRange(first, end - 1));
            }
        }
        usable = List.copyOf(kept);
    }

    /** Takes windows out of ranges; both ascending or not. */
    public static List<IovaRange> without(List<IovaRange> ranges, List<IovaRange> windows) {
        List<IovaRange> left = new ArrayList<>(ranges);
        for (IovaRange window : windows) {
            List<IovaRange> next = new ArrayList<>();
            for (IovaRange range : left) {
                boolean apart =
                        Long.compareUnsigned(window.last(), range.first()) < 0
                                || Long.compareUnsigned(window.first(), range.last()) > 0;
                if (apart) {
                    next.add(range);
                    continue;
                }
                if (Long.compareUnsigned(range.first(), window.first()) < 0) {
                    next.add(new IovaRange(range.first(), window.first() - 1));
                }
                if (Long.compareUnsigned(window.last(), range.last()) < 0) {
                    next.add(new IovaRange(window.last() + 1, range.last()));
                }
            }
            left = next;
        }
        return left;
    }

    /** Bytes of the smallest page. */
    public long granule() {
        return Long.lowestOneBit(pageSizes);
    }

    /** Bits that the highest usable IOVA needs. */
    public int width() {
        return usable.isEmpty()
                ? 0
                : Long.SIZE - Long.numberOfLeadingZeros(usable.getLast().last());
    }
}
