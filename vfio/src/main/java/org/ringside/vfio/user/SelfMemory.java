package org.ringside.vfio.user;

import org.ringside.linux.Abi;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/**
 * This process's memory as a file: the offset is the address (proc(5), /proc/pid/mem). A peer that
 * has the descriptor reaches the memory, with the kernel's checks at each access instead of ours.
 */
final class SelfMemory implements AutoCloseable {
    private static final int NONE = -1;

    private final SystemCalls calls;
    private int fd = NONE;
    private boolean closed;

    SelfMemory(SystemCalls calls) {
        this.calls = calls;
    }

    /** The descriptor; opened when first wanted, owned here. */
    synchronized int fd() throws LinuxException {
        if (closed) {
            throw new IllegalStateException("the device is closed");
        }
        if (fd == NONE) {
            fd = calls.open("/proc/self/mem", Abi.O_RDWR);
        }
        return fd;
    }

    @Override
    public synchronized void close() throws LinuxException {
        closed = true;
        if (fd != NONE) {
            int open = fd;
            fd = NONE;
            calls.close(open);
        }
    }
}
