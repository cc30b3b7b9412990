package org.ringside.vfio.backend;

import java.util.Map;
import java.util.TreeMap;

/**
 * Hands out pieces of ranges of numbers: of IOVA space, or of a block of memory. First fit, lowest
 * first; what comes back merges with its free neighbours, so that nothing is lost to fragmentation
 * once all is returned. Numbers are non-negative longs.
 *
 * <p>Threading: the caller serialises.
 */
final class RangeAllocator {
    /** Free ranges, start to end (exclusive); no two touch. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private long available;

    /** Adds numbers to hand out, or takes back a piece. */
    void release(long start, long size) {
        long end = Math.addExact(start, size);
        if (start < 0 || size <= 0) {
            throw new IllegalArgumentException("[%d, %d)".formatted(start, end));
        }
        Map.Entry<Long, Long> before = free.lowerEntry(end);
        if (before != null && before.getValue() > start) {
            throw new IllegalStateException("[0x%x, 0x%x) is free already".formatted(start, end));
        }
        available += size;
        if (before != null && before.getValue() == start) {
            start = before.getKey();
        }
        Long after = free.remove(end);
        free.put(start, after == null ? end : after);
    }

    /**
     * Takes a piece whose start has a given remainder.
     *
     * @param size numbers in it, at least 1
     * @param modulus a power of two
     * @param remainder what its start is congruent to, modulo {@code modulus}
     * @return its start, or -1 when there is none
     */
    long allocate(long size, long modulus, long remainder) {
        for (Map.Entry<Long, Long> range : free.entrySet()) {
            long start = range.getKey();
            long up = remainder - start & modulus - 1;
            // Written so that nothing overflows near the end of the number space.
            if (up <= range.getValue() - start && size <= range.getValue() - start - up) {
                take(range, start + up, size);
                return start + up;
            }
        }
        return -1;
    }

    /** Takes one particular piece; false when not all of it is free. */
    boolean allocateAt(long start, long size) {
        Map.Entry<Long, Long> range = free.floorEntry(start);
        if (range == null || range.getValue() < start || size > range.getValue() - start) {
            return false;
        }
        take(range, start, size);
        return true;
    }

    private void take(Map.Entry<Long, Long> range, long start, long size) {
        long rangeStart = range.getKey();
        long rangeEnd = range.getValue();
        free.remove(rangeStart);
        if (rangeStart < start) {
            free.put(rangeStart, start);
        }
        if (start + size < rangeEnd) {
            free.put(start + size, rangeEnd);
        }
        available -= size;
    }

    /** Numbers that are free, in however many pieces. */
    long available() {
        return available;
    }

    /** Pieces that the free numbers are in. */
    int fragments() {
        return free.size();
    }
}
