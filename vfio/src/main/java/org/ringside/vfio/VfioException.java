package org.ringside.vfio;

import java.io.IOException;

/**
 * A VFIO operation failed. The message says what failed (call and errno), on which device, why (as
 * far as sysfs or the peer tells) and what to type to cure it.
 */
public class VfioException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Linux errno, or 0 when the failure has none (a protocol error, a limit checked before the
     * kernel was asked).
     */
    private final int errno;

    public VfioException(int errno, String message) {
        super(message);
        this.errno = errno;
    }

    public VfioException(int errno, String message, Throwable cause) {
        super(message, cause);
        this.errno = errno;
    }

    /** Linux errno of the call that failed, 0 when there is none. */
    public int errno() {
        return errno;
    }
}
