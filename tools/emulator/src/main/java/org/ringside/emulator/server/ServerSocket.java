package org.ringside.emulator.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/**
 * A UNIX socket that listens, for its owner alone (mode 0600). Takes the place of one that a
 * crashed server has left behind, never of one that still listens.
 */
final class ServerSocket implements AutoCloseable {
    private static final Logger LOG = System.getLogger(ServerSocket.class.getName());
    private static final int OWNER_ONLY = 0600;
    private static final int BACKLOG = 16;

    private final SystemCalls calls;
    private final Path path;
    private final int fd;
    private final Object inode;
    private boolean closed;

    private ServerSocket(SystemCalls calls, Path path, int fd) throws IOException {
        this.calls = calls;
        this.path = path;
        this.fd = fd;
        this.inode = Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    static ServerSocket listen(SystemCalls calls, Path path) throws IOException {
        removeStale(calls, path);
        int fd = calls.unixSocket();
        boolean good = false;
        try {
            calls.fchmod(fd, OWNER_ONLY);
            calls.bind(fd, path.toString());
            calls.listen(fd, BACKLOG);
            ServerSocket socket = new ServerSocket(calls, path, fd);
            good = true;
            return socket;
        } finally {
            if (!good) {
                calls.close(fd);
            }
        }
    }

    private static void removeStale(SystemCalls calls, Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & Abi.S_IFMT) != Abi.S_IFSOCK) {
            throw new LinuxException(
                    "bind", path.toString(), Errno.EADDRINUSE, "the path is there and no socket");
        }
        int probe = calls.unixSocket();
        try {
            calls.connect(probe, path.toString());
        } catch (LinuxException e) {
            if (e.errno() == Errno.ECONNREFUSED) {
                LOG.log(Level.INFO, "nobody listens on {0} any more; it is replaced", path);
                Files.deleteIfExists(path);
                return;
            }
            throw e;
        } finally {
            calls.close(probe);
        }
        throw new LinuxException(
                "bind",
                path.toString(),
                Errno.EADDRINUSE,
                "another server listens there; stop it or choose another path");
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

    /** Closes the socket and removes its path, if it is still its own. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (inode.equals(Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS))) {
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
