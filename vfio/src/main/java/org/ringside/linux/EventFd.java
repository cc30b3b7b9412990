package org.ringside.linux;

/**
 * A Linux eventfd: a counter that becomes readable when it is not zero (eventfd(2)). Non-blocking
 * and close-on-exec. Whoever made it closes it.
 *
 * <p>Threading: any thread may call any method. Wait for several of them with a {@link PollSet}.
 */
public interface EventFd extends AutoCloseable {
    /** A new one, counter at 0. */
    static EventFd create(SystemCalls calls) throws LinuxException {
        return new KernelEventFd(calls, calls.eventfd());
    }

    /** Takes over a descriptor that is an eventfd, such as one that came over a socket. */
    static EventFd adopt(SystemCalls calls, int fd) {
        return new KernelEventFd(calls, fd);
    }

    /** The file descriptor. */
    int fd();

    /**
     * Takes the counter and resets it to 0; returns 0 when nothing has been signalled. Never
     * blocks.
     */
    long take();

    /** Adds one. */
    void signal();

    /**
     * Closes the descriptor. Closing twice is harmless; other methods then throw {@link
     * IllegalStateException}.
     */
    @Override
    void close();
}
