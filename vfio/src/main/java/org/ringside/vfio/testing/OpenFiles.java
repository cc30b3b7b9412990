package org.ringside.vfio.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Counts the descriptors of this process, so that a test can see a leak. */
public final class OpenFiles {
    private OpenFiles() {}

    /**
     * Open descriptors; class files and the like, which the JVM opens when it pleases, are left
     * out.
     */
    public static long count() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.filter(OpenFiles::isOurs).count();
        }
    }

    private static boolean isOurs(Path entry) {
        try {
            String target = Files.readSymbolicLink(entry).toString();
            return target.startsWith("/memfd:")
                    || target.startsWith("socket:")
                    || target.startsWith("anon_inode:")
                    || target.startsWith("/dev/vfio");
        } catch (IOException e) {
            // Closed since it was listed.
            return false;
        }
    }
}
