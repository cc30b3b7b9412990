package org.ringside.linux;

import java.io.UncheckedIOException;

/**
 * An {@link EventFd} over a descriptor. Its lock keeps a late call off a number that the kernel has
 * given to another file.
 */
final class KernelEventFd implements EventFd {
    private final SystemCalls calls;
    private final int fd;
    private boolean closed;

    KernelEventFd(SystemCalls calls, int fd) {
        this.calls = calls;
        this.fd = fd;
    }

    @Override
    public synchronized int fd() {
        checkOpen();
        return fd;
    }

    @Override
    public synchronized long take() {
        checkOpen();
        try {
            return calls.eventfdRead(fd);
        } catch (LinuxException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void signal() {
        checkOpen();
        try {
            calls.eventfdWrite(fd, 1);
        } catch (LinuxException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("event fd " + fd + " is closed");
        }
    }

    @Override
    public String toString() {
        return "EventFd[fd=" + fd + "]";
    }
}
