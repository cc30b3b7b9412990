package org.ringside.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** UNIX stream sockets that only their owner may use. */
public final class UnixSockets {
    private static final int OWNER_ONLY = 0600;

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
            calls.connect(probe, name);
        } catch (LinuxException e) {
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
        throw new LinuxException(
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
     * Connects to the socket at a path.
     *
     * @return the connected descriptor; the caller closes it
     */
    public static int connect(SystemCalls calls, Path path) throws LinuxException {
        String name = nameOf(path, "connect");
        int fd = calls.unixSocket();
        try {
            calls.connect(fd, name);
            return fd;
        } catch (LinuxException | RuntimeException e) {
            calls.close(fd);
            throw e;
        }
    }
}
