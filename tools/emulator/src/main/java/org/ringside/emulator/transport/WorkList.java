package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;

/** First in, first out, of QPs. Grows, never shrinks. */
final class WorkList {
    private @Nullable QpState[] items = new @Nullable QpState[16];
    private int first;
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(QpState qp) {
        if (size == items.length) {
            grow();
        }
        items[(first + size) & (items.length - 1)] = qp;
        size++;
    }

    @Nullable QpState take() {
        if (size == 0) {
            return null;
        }
        QpState qp = items[first];
        items[first] = null;
        first = (first + 1) & (items.length - 1);
        size--;
        return qp;
    }

    void clear() {
        for (QpState qp = take(); qp != null; qp = take()) {
            qp.scheduled = false;
        }
    }

    private void grow() {
        @Nullable QpState[] larger = new @Nullable QpState[items.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = items[(first + i) & (items.length - 1)];
        }
        items = larger;
        first = 0;
    }
}
