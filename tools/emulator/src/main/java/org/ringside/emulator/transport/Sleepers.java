package org.ringside.emulator.transport;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** QPs that wait for a point in time before they send again. Few, so a list will do. */
final class Sleepers {
    private final List<QpState> waiting = new ArrayList<>();

    /** No later than the first of them. */
    private long next = SendQueue.FOREVER;

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** When the first of them has to be woken, or {@link SendQueue#FOREVER}. */
    long next() {
        return next;
    }

    /** Lets a QP sleep; one that sleeps already gets a new point in time. */
    void add(QpState qp, SendQueue sq, long wakeAt) {
        if (sq.wakeAt == 0) {
            waiting.add(qp);
        }
        sq.wakeAt = wakeAt;
        next = Math.min(next, wakeAt);
    }

    /** Ends the wait of a QP, if it waits. */
    void remove(QpState qp) {
        SendQueue sq = qp.send;
        if (sq != null && sq.wakeAt != 0) {
            waiting.remove(qp);
            sq.wakeAt = 0;
            next = waiting.isEmpty() ? SendQueue.FOREVER : next;
        }
    }

    /** Takes one whose time has come, which stays marked until it runs; null when there is none. */
    @Nullable QpState wake(long now) {
        if (now < next) {
            return null;
        }
        next = SendQueue.FOREVER;
        for (int i = 0; i < waiting.size(); i++) {
            QpState qp = waiting.get(i);
            SendQueue sq = qp.send;
            if (sq == null || sq.wakeAt <= now) {
                waiting.remove(i);
                next = now; // There may be more.
                return qp;
            }
            next = Math.min(next, sq.wakeAt);
        }
        return null;
    }

    void clear() {
        waiting.clear();
        next = SendQueue.FOREVER;
    }
}
