package org.ringside.emulator.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.ringside.linux.Abi;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.linux.UnixSockets;

/** A UNIX socket that listens, for its owner alone, and takes its path with it when it closes. */
final class ServerSocket implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ServerSocket.class.getName());
    private static final int BACKLOG = 16;

    private final SystemCalls calls;
    private final Path path;
    private final int fd;
    private final Object inode;
    private boolean closed;

    private ServerSocket(SystemCalls calls, Path path, int fd, Object inode) {
        this.calls = calls;
        this.path = path;
        this.fd = fd;
        this.inode = inode;
    }

    static ServerSocket listen(SystemCalls calls, Path path) throws IOException {
        int fd = UnixSockets.listen(calls, path, BACKLOG);
        try {
            return new ServerSocket(calls, path, fd, inode(path));
        } catch (IOException e) {
            calls.close(fd);
            throw e;
        }
    }

    private static Object inode(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    /** Waits for a client; fails once the socket is shut down. */
    int accept() throws LinuxException {
        return calls.accept(fd);
    }

    /** Wakes a thread that waits in {@link #accept}. */
    void shutdown() {
        try {
            calls.shutdown(fd, Abi.SHUT_RDWR);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "shutdown of a listening socket", e);
        }
    }

    /** Closes the socket and removes its path, unless that is another's by now. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (inode.equals(inode(path))) {
                Files.delete(path);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the path of a listening socket has gone before", e);
        }
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "close of a listening socket", e);
        }
    }
}
