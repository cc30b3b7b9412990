package org.ringside.emulator.server;

import java.lang.System.Logger.Level;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/** A file that is read and written at offsets, such as /proc/PID/mem. */
final class OpenFile extends Backing {
    private final SystemCalls calls;
    private final int fd;
    private final boolean ownMemory;

    /**
     * Takes over a descriptor.
     *
     * @param ownMemory whether it is /proc/self/mem of this very process
     */
    OpenFile(Key key, SystemCalls calls, int fd, boolean ownMemory) {
        super(key);
        this.calls = calls;
        this.fd = fd;
        this.ownMemory = ownMemory;
    }

    boolean isOwnMemory() {
        return ownMemory;
    }

    int fd() {
        return fd;
    }

    SystemCalls calls() {
        return calls;
    }

    /** Not limited: files of /proc have no size. */
    @Override
    long size() {
        return Long.MAX_VALUE;
    }

    @Override
    void close() {
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            System.getLogger(OpenFile.class.getName())
                    .log(Level.DEBUG, "close of a file of DMA ranges", e);
        }
    }
}
