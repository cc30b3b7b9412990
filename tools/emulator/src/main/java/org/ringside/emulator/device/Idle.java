package org.ringside.emulator.device;

import java.util.Queue;
import java.util.concurrent.locks.LockSupport;

/**
 * What the agent's thread does when it finds nothing to do.
 *
 * <pre>
 *   work ... | spin 50 us | yield to 1 ms | park 50 us, 100 us, ... 1 ms, or until a task comes
 * </pre>
 */
final class Idle {
    static final long SPIN_NANOS = 50_000;
    static final long YIELD_NANOS = 1_000_000;
    private static final long MIN_PARK_NANOS = 50_000;
    private static final long MAX_PARK_NANOS = 1_000_000;

    private boolean idle;
    private long since;
    private long park = MIN_PARK_NANOS;
    private volatile boolean parked;

    /** There was work. */
    void reset() {
        idle = false;
        park = MIN_PARK_NANOS;
    }

    /** There was none: waits a little, on the agent's thread. */
    @SuppressWarnings(
            "ThreadPriorityCheck") // Correct without; lets the client run where cores are few.
    void idle(Agent[] agents, Queue<Runnable> tasks) {
        long now = System.nanoTime();
        if (!idle) {
            idle = true;
            since = now;
        }
        long idleNanos = now - since;
        if (idleNanos < SPIN_NANOS) {
            Thread.onSpinWait();
        } else if (idleNanos < YIELD_NANOS) {
            Thread.yield();
        } else {
            park(agents, tasks);
        }
    }

    /** Wakes the agent's thread if it is parked; what it shall find must be visible before. */
    void wake(Thread thread) {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    private void park(Agent[] agents, Queue<Runnable> tasks) {
        long limit = Agent.NO_PARK_LIMIT;
        for (Agent agent : agents) {
            limit = Math.min(limit, agent.maxParkNanos());
        }
        if (limit < MIN_PARK_NANOS) {
            Thread.onSpinWait(); // Parking takes longer than that.
            return;
        }
        parked = true;
        // A task added before the flag was seen is found here; one added later finds the flag.
        if (tasks.isEmpty()) {
            if (limit == Agent.NO_PARK_LIMIT) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, Math.min(limit, park));
                park = Math.min(2 * park, MAX_PARK_NANOS);
            }
        }
        parked = false;
    }
}
