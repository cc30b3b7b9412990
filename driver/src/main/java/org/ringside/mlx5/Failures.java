package org.ringside.mlx5;

import org.ringside.verbs.VerbsException;
import org.ringside.vfio.VfioException;

/** Failures of the layer below, in the words of verbs. */
final class Failures {
    private Failures() {}

    /** Keeps the errno when there is one. */
    static VerbsException of(String device, String doing, VfioException e) {
        int errno = e.errno() == 0 ? VerbsException.EIO : e.errno();
        return new VerbsException(
                errno, "%s: %s failed: %s".formatted(device, doing, e.getMessage()), e);
    }
}
