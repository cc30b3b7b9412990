package org.ringside.emulator.device;

/** Something that a {@link DeviceAgent} lets work, over and over, on its one thread. */
public interface Agent {
    /** Parking limit of an agent that has to look at mapped doorbells or other shared memory. */
    long SHARED_MEMORY_PARK_NANOS = 1_000_000;

    /** Parking limit of an agent that gets work only from tasks and messages. */
    long NO_PARK_LIMIT = Long.MAX_VALUE;

    /** Who it is, for thread dumps and logs. */
    String roleName();

    /**
     * One duty cycle: looks for work, does a bounded amount of it, never blocks.
     *
     * @return how much was done; 0 lets the thread become idle
     */
    int poll();

    /**
     * How long the thread may sleep from now on without this agent missing something that no task
     * announces: {@link #SHARED_MEMORY_PARK_NANOS} while doorbells in shared pages are in use, the
     * time to the next timer while one runs, {@link #NO_PARK_LIMIT} otherwise. Asked only when
     * idle.
     */
    default long maxParkNanos() {
        return NO_PARK_LIMIT;
    }
}
