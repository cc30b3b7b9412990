package org.ringside.roce;

/** Counts by {@link Counter}, written by the agent's thread, read by any without precision. */
public final class Counters {
    private static final Counter[] ALL = Counter.values();

    private final long[] counts = new long[ALL.length];

    void add(Counter counter) {
        counts[counter.ordinal()]++;
    }

    /** Times that it happened. */
    public long get(Counter counter) {
        return counts[counter.ordinal()];
    }

    /** All that are not zero. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Counter counter : ALL) {
            if (get(counter) != 0) {
                text.append(text.isEmpty() ? "" : ", ")
                        .append(counter)
                        .append(' ')
                        .append(get(counter));
            }
        }
        return text.toString();
    }
}
