package org.ringside.verbs.kernel;

import com.sun.jna.Library;

/** The few functions of the C library that go with libibverbs; see their manual pages. */
interface Libc extends Library {
    /** POLLIN of poll(2). */
    short POLLIN = 1;

    /** Bytes of struct pollfd: fd, events, revents. */
    int POLLFD = 8;

    /** O_CLOEXEC of open(2), EFD_CLOEXEC of eventfd(2). */
    int CLOEXEC = 0x80000;

    /** EFD_NONBLOCK of eventfd(2). */
    int NONBLOCK = 0x800;

    /** RLIMIT_MEMLOCK of getrlimit(2). */
    int RLIMIT_MEMLOCK = 8;

    int poll(long fds, long count, int timeoutMillis);

    int eventfd(int initial, int flags);

    long write(int fd, long buffer, long count);

    int open(String path, int flags);

    int close(int fd);

    int getrlimit(int resource, long limits);

    String strerror(int errno);
}
