package org.ringside.verbs;

import java.io.IOException;

/**
 * A slow-path verb failed. The message says what failed, why, and what to do about it; {@link
 * #errno()} is the Linux error number that rdma-core would have returned, for callers that decide
 * by it.
 */
public class VerbsException extends IOException {
    private static final long serialVersionUID = 1L;

    public static final int EAGAIN = 11;
    public static final int ENOMEM = 12;
    public static final int EBUSY = 16;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int EIO = 5;
    public static final int ENOENT = 2;
    public static final int EOPNOTSUPP = 95;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;

    private final int errno;

    /**
     * @param errno Linux error number, one of the constants here or any other
     * @param message what failed, why, the cure
     */
    public VerbsException(int errno, String message) {
        super(message);
        this.errno = errno;
    }

    public VerbsException(int errno, String message, Throwable cause) {
        super(message, cause);
        this.errno = errno;
    }

    /** Linux error number. */
    public final int errno() {
        return errno;
    }
}
