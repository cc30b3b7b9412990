package org.ringside.verbs.kernel;

import org.ringside.verbs.VerbsException;

/** What to do about errors whose number tells the cure, whatever the call was. */
final class Cures {
    static final int EPERM = 1;
    static final int EACCES = 13;
    static final int ENFILE = 23;
    static final int EMFILE = 24;

    private Cures() {}

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
