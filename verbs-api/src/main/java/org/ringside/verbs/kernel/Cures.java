package org.ringside.verbs.kernel;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ringside.verbs.VerbsException;

/** What to do about errors whose number tells the cure, whatever the call was. */
final class Cures {
    static final int EPERM = 1;
    static final int EACCES = 13;
    static final int ENFILE = 23;
    static final int EMFILE = 24;

    private Cures() {}

    /**
     * The cure when a device cannot be opened. The library says ENOENT too of a file that it may
     * not open.
     */
    static String ofOpen(int errno, Path file) {
        if (errno != VerbsException.ENOENT) {
            return of(errno);
        }
        return Files.exists(file) && !(Files.isReadable(file) && Files.isWritable(file))
                ? of(EACCES)
                : "is there a file %s? udev makes it once ib_uverbs is loaded".formatted(file);
    }

    /** The cure; empty when there is none for all calls. */
    static String of(int errno) {
        return switch (errno) {
            case EMFILE ->
                    "the process has as many files open as it may have (ulimit -n): raise that limit,"
                            + " or close some";
            case ENFILE -> "the machine is at its limit of open files (sysctl fs.file-max)";
            case EACCES, EPERM ->
                    "the user may not use /dev/infiniband/uverbs*: be root, or of the group that owns"
                            + " them (Debian: rdma)";
            case VerbsException.ENODEV, VerbsException.EIO ->
                    "the kernel has removed the device; \"rdma link\" and dmesg tell more";
            case VerbsException.ENOMEM ->
                    "the device or this process is at its limit (ulimit -l; \"rdma resource\" tells who"
                            + " has what); close some, or ask for less";
            default -> "";
        };
    }
}
