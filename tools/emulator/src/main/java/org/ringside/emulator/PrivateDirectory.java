package org.ringside.emulator;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A directory for one socket, for its owner alone. It goes with its device, or at the end of the
 * JVM, or, when that crashed, with the next one that makes such a directory: its name tells the
 * process.
 */
final class PrivateDirectory implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PrivateDirectory.class.getName());
    private static final String PREFIX = "ringside-emulated-";
    private static final String SOCKET = "s";

    /** A socket's path has 107 bytes at most; the rest is for our own names. */
    private static final int MAX_PARENT = 60;

    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(
                                () -> OPEN.forEach(PrivateDirectory::remove),
                                "ringside-emulated-cleanup"));
    }

    private final Path path;

    private PrivateDirectory(Path path) {
        this.path = path;
    }

    /** Makes one, and removes those of processes that are no more. */
    static PrivateDirectory create() throws IOException {
        return create(parent());
    }

    static PrivateDirectory create(Path parent) throws IOException {
        removeStale(parent);
        Path path;
        try {
            path =
                    Files.createTempDirectory(
                            parent,
                            PREFIX + ProcessHandle.current().pid() + "-",
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rwx------")));
        } catch (IOException e) {
            throw new IOException(
                    "none can be made in %s (%s); name another with -Djava.io.tmpdir"
                            .formatted(parent, e),
                    e);
        }
        OPEN.add(path);
        return new PrivateDirectory(path);
    }

    private static Path parent() {
        Path configured = Path.of(System.getProperty("java.io.tmpdir"));
        return configured.toString().length() <= MAX_PARENT ? configured : Path.of("/tmp");
    }

    /** Where the socket shall be. */
    Path socket() {
        return path.resolve(SOCKET);
    }

    Path path() {
        return path;
    }

    private static void removeStale(Path parent) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path each : all) {
                if (isStale(each)) {
                    LOG.log(Level.DEBUG, "its process has gone: {0}", each);
                    remove(each);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "cannot look for directories left behind in " + parent, e);
        }
    }

    private static boolean isStale(Path directory) throws IOException {
        String rest = directory.getFileName().toString().substring(PREFIX.length());
        String pid = rest.split("-", 2)[0];
        return pid.matches("[0-9]{1,18}")
                && ProcessHandle.of(Long.parseLong(pid)).isEmpty()
                && Files.getOwner(directory).equals(Files.getOwner(Path.of("/proc/self")));
    }

    private static void remove(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(SOCKET));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "cannot remove " + directory, e);
        }
    }

    /** Removes the socket, if it is still there, and the directory. */
    @Override
    public void close() {
        OPEN.remove(path);
        remove(path);
    }
}
