package org.ringside.linux;

/**
 * A Linux eventfd: a counter that becomes readable when it is not zero (eventfd(2)). Non-blocking and close-on-exec. Whoever
 * made it closes it.
 */
public interface EventFd extends AutoCloseable {
    /** The file descriptor. */
    int fd();

    /** Takes the counter and resets it to 0; returns 0 when nothing has been signalled. Never blocks. */
    long take();

    /** Adds one. */
    void signal();

    @Override
    void close();
}
