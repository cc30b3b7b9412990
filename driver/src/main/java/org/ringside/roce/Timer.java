package org.ringside.roce;

import org.jspecify.annotations.Nullable;

/** Something that happens later, once; a node in the lists of a {@link TimerWheel}. */
public abstract class Timer {
    @Nullable Timer previous;
    @Nullable Timer next;
    long deadline;
    int slot = IDLE;

    static final int IDLE = -1;

    /** The deadline has passed; the timer is idle and may be scheduled again. */
    protected abstract void expired(long now);

    /** Whether it is scheduled. */
    public final boolean isPending() {
        return slot != IDLE;
    }

    /** When it is due, if it is scheduled. */
    public final long deadline() {
        return deadline;
    }
}
