package org.ringside.emulator.server;

import org.ringside.linux.Errno;

/**
 * A request is refused; the client gets the errno. Has no stack trace: clients cause it, and some
 * often.
 */
final class RequestException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int errno;

    RequestException(int errno, String why) {
        super(why, null, false, false);
        this.errno = errno;
    }

    /** A refusal with EINVAL. */
    static RequestException invalid(String why) {
        return new RequestException(Errno.EINVAL, why);
    }

    int errno() {
        return errno;
    }
}
