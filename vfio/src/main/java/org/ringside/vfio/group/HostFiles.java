package org.ringside.vfio.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ringside.vfio.pci.SysfsPci;

/** The files of the host that this package looks at, below a root that tests choose. */
record HostFiles(Path root) {
    private static final int CAP_IPC_LOCK = 14;

    static HostFiles ofThisMachine() {
        return new HostFiles(Path.of("/"));
    }

    SysfsPci pci() {
        return new SysfsPci(root);
    }

    Path container() {
        return root.resolve("dev/vfio/vfio");
    }

    Path group(int number) {
        return root.resolve("dev/vfio").resolve(Integer.toString(number));
    }

    /**
     * Bytes that this process has locked so far, VFIO's pinned pages included; 0 when /proc does
     * not say.
     */
    long lockedBytes() {
        return status("VmLck:", 10, "kB") * 1024;
    }

    /** Whether the locked-memory limit does not hold for this process. */
    boolean mayLockWithoutLimit() {
        return (status("CapEff:", 16, "") >>> CAP_IPC_LOCK & 1) != 0;
    }

    private long status(String key, int radix, String unit) {
        try {
            for (String line : Files.readAllLines(root.resolve("proc/self/status"))) {
                if (line.startsWith(key)) {
                    String value = line.substring(key.length()).replace(unit, "").trim();
                    return Long.parseUnsignedLong(value, radix);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Without /proc the kernel's own refusal has to do.
            return 0;
        }
        return 0;
    }

    /** Processes that have a file open, as "pid (name)"; those of other users only for root. */
    List<String> holders(Path file) {
        List<String> holders = new ArrayList<>();
        for (Path process : list(root.resolve("proc"))) {
            String pid = process.getFileName().toString();
            boolean holds =
                    Character.isDigit(pid.charAt(0))
                            && list(process.resolve("fd")).stream()
                                    .anyMatch(fd -> pointsTo(fd, file));
            if (holds) {
                holders.add(pid + " (" + name(process) + ")");
            }
        }
        return holders;
    }

    private static List<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        } catch (IOException e) {
            // Another user's process, or one that has ended.
            return List.of();
        }
    }

    private static boolean pointsTo(Path link, Path file) {
        try {
            return Files.readSymbolicLink(link).equals(file);
        } catch (IOException e) {
            return false;
        }
    }

    private static String name(Path process) {
        try {
            return Files.readString(process.resolve("comm")).trim();
        } catch (IOException e) {
            return "?";
        }
    }
}
