package org.ringside.verbs.kernel;

import org.ringside.verbs.PostResult;
import org.ringside.verbs.VerbsException;

/** What the error numbers of post_send and post_recv mean to the poster. */
final class Refusals {
    private static final int ENXIO = 6;
    private static final int EBADF = 9;

    private Refusals() {}

    static PostResult of(int errno) {
        return switch (errno) {
            case VerbsException.ENOMEM, VerbsException.EAGAIN -> PostResult.QUEUE_FULL;
            case VerbsException.EIO, VerbsException.ENODEV, ENXIO, EBADF -> PostResult.DEVICE_LOST;
            default -> PostResult.NOT_SUPPORTED;
        };
    }
}
