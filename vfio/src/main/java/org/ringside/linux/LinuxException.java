package org.ringside.linux;

import java.io.IOException;

/**
 * A system call failed. The message names the call, what it was about and the error, as in {@code
 * "ioctl(VFIO_GROUP_GET_STATUS): EPERM (1) Operation not permitted"}; where the errno alone tells
 * the cure, the cure too.
 */
public final class LinuxException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Name of the call. */
    private final String call;

    /** What the call was about: a path, an ioctl, an fd. */
    private final String detail;

    /** Why it failed; see {@link Errno}. */
    private final int errno;

    public LinuxException(String call, String detail, int errno) {
        super(call + "(" + detail + "): " + Errno.describe(errno) + cure(errno));
        this.call = call;
        this.detail = detail;
        this.errno = errno;
    }

    /** A failure that Linux reports other than by errno, with the errno that says it best. */
    public LinuxException(String call, String detail, int errno, String why) {
        super(call + "(" + detail + "): " + Errno.describe(errno) + ": " + why);
        this.call = call;
        this.detail = detail;
        this.errno = errno;
    }

    private static String cure(int errno) {
        return switch (errno) {
            case Errno.EMFILE ->
                    "; the process has as many as it may have (ulimit -n): raise that limit or open"
                            + " fewer devices";
            case Errno.ENFILE -> "; the machine is at its limit (sysctl fs.file-max)";
            default -> "";
        };
    }

    /** Name of the call, such as {@code "ioctl"}. */
    public String call() {
        return call;
    }

    /** What the call was about: a path, an ioctl's name, an fd. */
    public String detail() {
        return detail;
    }

    /** Why it failed; one of {@link Errno}. */
    public int errno() {
        return errno;
    }
}
