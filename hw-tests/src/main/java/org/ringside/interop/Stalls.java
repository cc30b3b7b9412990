package org.ringside.interop;

import java.util.Arrays;
import java.util.Locale;

/** Times from one completion to the next while something is under way; a loss makes a long one. */
final class Stalls {
    private final long[] nanos;
    private int count;
    private long last;

    /**
     * @param capacity completions
     */
    Stalls(int capacity, long now) {
        nanos = new long[capacity];
        last = now;
    }

    /** Completions that are seen at once are one. */
    void completion(long now) {
        if (now != last) {
            nanos[count++] = now - last;
            last = now;
        }
    }

    /** Median, 99th percentile and longest, in milliseconds. */
    @Override
    public String toString() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return text(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
    }

    static String text(long median, long p99, long max) {
        return String.format(
                Locale.ROOT, "p50 %.2f, p99 %.2f, max %.2f", median / 1e6, p99 / 1e6, max / 1e6);
    }

    private static long at(long[] sorted, double part) {
        return sorted.length == 0
                ? 0
                : sorted[(int) Math.min(sorted.length - 1L, Math.round(part * sorted.length))];
    }
}
