package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import org.ringside.verbs.VerbsException;

/**
 * Waiting for a file of the library to become readable, in a way that can be ended: poll(2) on it
 * and on an eventfd.
 *
 * <p>Threading: one thread waits, any may wake it.
 */
final class WakeUp implements AutoCloseable {
    private final Libc c;
    private final int wakeFd;
    private final Arena arena = Arena.ofShared();
    private final long files = arena.allocate(2L * Libc.POLLFD, 8).address();
    private final long one = arena.allocate(Long.BYTES, 8).address();

    /**
     * @param fd that is waited for
     * @param what it is for, for the error
     */
    WakeUp(Libraries libraries, int fd, String what) throws VerbsException {
        this.c = libraries.c();
        this.wakeFd = c.eventfd(0, Libc.CLOEXEC | Libc.NONBLOCK);
        if (wakeFd < 0) {
            int errno = Libraries.errno();
            arena.close();
            throw libraries.failure(errno, what + ": eventfd", Cures.of(errno));
        }
        Raw.putLong(one, 1);
        watch(files, fd);
        watch(files + Libc.POLLFD, wakeFd);
    }

    private static void watch(long entry, int fd) {
        Raw.putInt(entry, fd);
        Raw.putShort(entry + 4, Libc.POLLIN);
    }

    /**
     * Waits.
     *
     * @return whether the file is readable now
     */
    boolean await(int millis) {
        Raw.putShort(files + 6, 0);
        return c.poll(files, 2, millis) > 0 && Raw.getShort(files + 6) != 0;
    }

    /** Has all later waits end at once, too. */
    void wake() {
        long written = c.write(wakeFd, one, Long.BYTES);
        assert written == Long.BYTES;
    }

    /** Nobody waits any more. */
    @Override
    public void close() {
        c.close(wakeFd);
        arena.close();
    }
}
