package org.ringside.roce.wire;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;

/** Frames on their way, by time of arrival, then by order of departure: a heap without objects. */
final class Flight {
    private final long[] times;
    private final long[] departures;
    private final int[] ends;
    private final @Nullable Frame[] frames;
    private int size;
    private long departed;

    Flight(int capacity) {
        times = new long[capacity + 1];
        departures = new long[capacity + 1];
        ends = new int[capacity + 1];
        frames = new @Nullable Frame[capacity + 1];
    }

    boolean isEmpty() {
        return size == 0;
    }

    long time() {
        return times[1];
    }

    int end() {
        return ends[1];
    }

    @Nullable Frame frame() {
        return frames[1];
    }

    void add(long time, int end, Frame frame) {
        int at = ++size;
        set(at, time, departed++, end, frame);
        while (at > 1 && isBefore(at, at / 2)) {
            swap(at, at / 2);
            at /= 2;
        }
    }

    Frame remove() {
        Frame first = frames[1];
        if (first == null) {
            throw new IllegalStateException("nothing is on its way");
        }
        swap(1, size);
        frames[size--] = null;
        int at = 1;
        while (2 * at <= size) {
            int child = 2 * at;
            if (child < size && isBefore(child + 1, child)) {
                child++;
            }
            if (!isBefore(child, at)) {
                break;
            }
            swap(child, at);
            at = child;
        }
        return first;
    }

    private boolean isBefore(int a, int b) {
        return times[a] != times[b] ? times[a] < times[b] : departures[a] < departures[b];
    }

    private void set(int at, long time, long departure, int end, @Nullable Frame frame) {
        times[at] = time;
        departures[at] = departure;
        ends[at] = end;
        frames[at] = frame;
    }

    private void swap(int a, int b) {
        long time = times[a];
        long departure = departures[a];
        int end = ends[a];
        Frame frame = frames[a];
        set(a, times[b], departures[b], ends[b], frames[b]);
        set(b, time, departure, end, frame);
    }
}
