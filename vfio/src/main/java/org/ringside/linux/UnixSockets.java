package org.ringside.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** UNIX stream sockets that only their owner may use. */
public final class UnixSockets {
    private static final int OWNER_ONLY = 0600;

    /** Linux tells nobody when there is room in the queue of a socket that listens. */
    private static final long RETRY_NANOS = Duration.ofMillis(10).toNanos();

    private UnixSockets() {}

    /**
     * Listens at a path. The socket has mode 0600 from the moment its path appears. A socket that a
     * dead process left there is removed; one that somebody still serves is not.
     *
     * @return the listening descriptor; the caller closes it and unlinks the path
     * @throws LinuxException EADDRINUSE when another process listens there or the path is not a
     *     socket
     */
    public static int listen(SystemCalls calls, Path path, int backlog) throws LinuxException {
        String name = nameOf(path, "bind");
        int fd = calls.unixSocket();
        try {
            // bind(2) gives the path the mode of the socket's own inode, less the umask: no moment
            // when others could connect.
            calls.fchmod(fd, OWNER_ONLY);
            try {
                calls.bind(fd, name);
            } catch (LinuxException e) {
                switch (e.errno()) {
                    case Errno.EADDRINUSE -> {
                        removeStale(calls, name);
                        calls.bind(fd, name);
                    }
                    case Errno.EACCES, Errno.ENOENT, Errno.ENOTDIR ->
                            throw new LinuxException(
                                    "bind",
                                    name,
                                    e.errno(),
                                    "choose a path in a directory that exists and that this user"
                                            + " may write to");
                    default -> throw e;
                }
            }
            calls.listen(fd, backlog);
            return fd;
        } catch (LinuxException | RuntimeException e) {
            calls.close(fd);
            throw e;
        }
    }

    private static void removeStale(SystemCalls calls, String name) throws LinuxException {
        int probe = calls.unixSocket();
        try {
            // EAGAIN: somebody listens, with more clients than its queue takes.
            calls.fcntl(probe, Abi.F_SETFL, Abi.O_NONBLOCK);
            calls.connect(probe, name);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EAGAIN) {
                throw served(name);
            }
            // A path that isn't a socket refuses too; connect tells it apart no better, so the file
            // type decides.
            if (e.errno() == Errno.ECONNREFUSED && isSocket(Path.of(name))) {
                calls.unlink(name);
                return;
            }
            throw new LinuxException(
                    "bind",
                    name,
                    Errno.EADDRINUSE,
                    "something that is not a stale socket is there; choose another path or remove"
                            + " it");
        } finally {
            calls.close(probe);
        }
        throw served(name);
    }

    private static LinuxException served(String name) {
        return new LinuxException(
                "bind",
                name,
                Errno.EADDRINUSE,
                "another process listens there; stop it or choose another path");
    }

    /**
     * Linux takes an empty path for "any name" (unix(7), autobind): the socket would be in the
     * abstract name space, open to everybody.
     */
    private static String nameOf(Path path, String call) throws LinuxException {
        String name = path.toString();
        if (name.isEmpty()) {
            throw new LinuxException(call, "\"\"", Errno.ENOENT, "the path of the socket is empty");
        }
        return name;
    }

    /** Whether there is a socket at a path, whatever its type and whoever listens. */
    public static boolean isSocket(Path path) {
        try {
            Object mode = Files.getAttribute(path, "unix:mode");
            return ((Integer) mode & Abi.S_IFMT) == Abi.S_IFSOCK;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Connects to the socket at a path. A server that does not accept, and whose queue is full, is
     * waited for no longer than this.
     *
     * @return the connected descriptor, which blocks; the caller closes it
     * @throws LinuxException ETIMEDOUT when the server does not accept in time
     */
    public static int connect(SystemCalls calls, Path path, Duration timeout)
            throws LinuxException {
        String name = nameOf(path, "connect");
        long deadline = System.nanoTime() + timeout.toNanos();
        int fd = calls.unixSocket();
        try {
            calls.fcntl(fd, Abi.F_SETFL, Abi.O_NONBLOCK);
            while (!connected(calls, fd, name)) {
                if (System.nanoTime() - deadline > 0) {
                    throw new LinuxException(
                            "connect",
                            name,
                            Errno.ETIMEDOUT,
                            "the server accepted no connection within %d ms; it hangs, or has too many clients"
                                    .formatted(timeout.toMillis()));
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
            calls.fcntl(fd, Abi.F_SETFL, 0);
            return fd;
        } catch (LinuxException | RuntimeException e) {
            calls.close(fd);
            throw e;
        }
    }

    private static boolean connected(SystemCalls calls, int fd, String name) throws LinuxException {
        try {
            calls.connect(fd, name);
            return true;
        } catch (LinuxException e) {
            if (e.errno() == Errno.EAGAIN) {
                return false;
            }
            throw e;
        }
    }
}
