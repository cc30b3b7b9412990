package org.ringside.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Descriptors to wait for, in the order given. Waiting makes no garbage.
 *
 * <pre>
 *   struct pollfd    0        4        6        8
 *                    | fd     | events | revents|
 * </pre>
 *
 * <p>Threading: one thread at a time.
 */
public final class PollSet {
    static final int POLLFD_SIZE = 8;
    static final int EVENTS = 4;
    static final int REVENTS = 6;

    private final SystemCalls calls;
    private final MemorySegment pollFds;
    private final int count;

    /**
     * A set that waits for each descriptor to become readable. A negative descriptor is passed
     * over.
     */
    public PollSet(SystemCalls calls, int... fds) {
        this.calls = calls;
        this.count = fds.length;
        this.pollFds = Arena.ofAuto().allocate(Math.max(1L, (long) fds.length) * POLLFD_SIZE, 8);
        for (int i = 0; i < fds.length; i++) {
            set(i, fds[i], Abi.POLLIN);
        }
    }

    /** Replaces entry {@code index}. */
    public void set(int index, int fd, short events) {
        long at = (long) index * POLLFD_SIZE;
        pollFds.set(ValueLayout.JAVA_INT, at, fd);
        pollFds.set(ValueLayout.JAVA_SHORT, at + EVENTS, events);
        pollFds.set(ValueLayout.JAVA_SHORT, at + REVENTS, (short) 0);
    }

    /**
     * Waits until an entry has an event.
     *
     * @param timeoutMillis -1 to wait for ever, 0 not to wait
     * @return entries with events, 0 when time ran out
     */
    public int await(int timeoutMillis) throws LinuxException {
        return calls.poll(pollFds, count, timeoutMillis);
    }

    /**
     * Events that the last wait found on an entry, such as {@link Abi#POLLIN}; {@link Abi#POLLHUP}
     * comes unasked.
     */
    public short events(int index) {
        return pollFds.get(ValueLayout.JAVA_SHORT, (long) index * POLLFD_SIZE + REVENTS);
    }

    /** Whether the last wait found the entry readable; the end of a stream counts. */
    public boolean isReadable(int index) {
        return (events(index) & Abi.POLLIN) != 0;
    }
}
