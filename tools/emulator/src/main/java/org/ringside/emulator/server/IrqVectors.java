package org.ringside.emulator.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/** The eventfds that the client has attached to the vectors of one interrupt index. Owns them. */
final class IrqVectors {
    private static final Logger LOG = System.getLogger(IrqVectors.class.getName());
    private static final int NONE = -1;

    private final SystemCalls calls;
    private final int[] eventFds;

    IrqVectors(SystemCalls calls, int count) {
        this.calls = calls;
        this.eventFds = new int[count];
        Arrays.fill(eventFds, NONE);
    }

    int count() {
        return eventFds.length;
    }

    /** Whether a descriptor is an eventfd; writing to another kind could block the agent. */
    static boolean isEventFd(int fd) {
        try {
            Path link = Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd));
            return link.toString().equals("anon_inode:[eventfd]");
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "cannot tell what descriptor " + fd + " is", e);
            return false;
        }
    }

    void attach(int vector, int fd) {
        detach(vector);
        eventFds[vector] = fd;
    }

    void detach(int vector) {
        int fd = eventFds[vector];
        eventFds[vector] = NONE;
        if (fd != NONE) {
            try {
                calls.close(fd);
            } catch (LinuxException e) {
                LOG.log(Level.DEBUG, "close of an eventfd", e);
            }
        }
    }

    void detachAll() {
        for (int i = 0; i < eventFds.length; i++) {
            detach(i);
        }
    }

    /** Fires a vector; false when nobody listens. */
    boolean fire(int vector) {
        int fd = eventFds[vector];
        if (fd == NONE) {
            return false;
        }
        try {
            calls.eventfdWrite(fd, 1);
            return true;
        } catch (LinuxException e) {
            // EAGAIN: the counter is full, so the client will wake up all the same.
            LOG.log(Level.DEBUG, "signal of an eventfd", e);
            return true;
        }
    }
}
