package org.ringside.roce;

import org.jspecify.annotations.Nullable;

/**
 * Timers by the tick of their deadline, in rings of lists: to schedule, move and cancel costs a few
 * stores, whatever the number of timers.
 *
 * <pre>
 *    tick       now
 *   +---+---+---+---+---+     slot = tick mod 4096
 *   | . | . | t | . | t |     a timer more than one turn away is passed over until its turn comes
 *   +---+---+---+---+---+
 * </pre>
 */
public final class TimerWheel {
    /** 8.192 us: finer than the smallest RNR timer. */
    static final int TICK_SHIFT = 13;

    private static final int SLOTS = 4096;

    private final @Nullable Timer[] slots = new @Nullable Timer[SLOTS];
    private long tick;
    private int pending;

    /**
     * @param now nanoseconds of any clock that does not go back
     */
    public TimerWheel(long now) {
        tick = now >> TICK_SHIFT;
    }

    /** Sets or moves a timer; a deadline in the past is due at the next advance. */
    public void schedule(Timer timer, long deadline) {
        cancel(timer);
        long due = Math.max((deadline >> TICK_SHIFT) + 1, tick + 1);
        int slot = (int) due & SLOTS - 1;
        timer.deadline = deadline;
        timer.slot = slot;
        Timer head = slots[slot];
        timer.previous = null;
        timer.next = head;
        if (head != null) {
            head.previous = timer;
        }
        slots[slot] = timer;
        pending++;
    }

    /** Takes a timer out; no harm if it is not in. */
    public void cancel(Timer timer) {
        if (timer.slot == Timer.IDLE) {
            return;
        }
        Timer before = timer.previous;
        Timer after = timer.next;
        if (before == null) {
            slots[timer.slot] = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        timer.previous = null;
        timer.next = null;
        timer.slot = Timer.IDLE;
        pending--;
    }

    /** Scheduled timers. */
    public int pending() {
        return pending;
    }

    /**
     * Runs all timers whose deadline has passed.
     *
     * @return how many
     */
    public int advance(long now) {
        long target = now >> TICK_SHIFT;
        if (pending == 0 || target <= tick) {
            tick = Math.max(tick, target);
            return 0;
        }
        int expired = 0;
        // Each slot once is enough, however long the agent was away.
        long from = Math.max(tick + 1, target - SLOTS + 1);
        for (long at = from; at <= target; at++) {
            tick = at;
            expired += run((int) at & SLOTS - 1, now);
        }
        return expired;
    }

    private int run(int slot, long now) {
        int expired = 0;
        Timer timer = slots[slot];
        while (timer != null) {
            if (timer.deadline <= now) {
                cancel(timer);
                timer.expired(now);
                expired++;
                timer = slots[slot]; // What expired may have changed any list.
            } else {
                timer = timer.next;
            }
        }
        return expired;
    }
}
