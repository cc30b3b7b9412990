package org.ringside.mlx5;

import org.ringside.verbs.DeviceException;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.VfioException;

/** Failures of the layer below, in the words of verbs. */
public final class Failures {
    private Failures() {}

    /** The device could not be had at all: its name, its driver, its permissions may be wrong. */
    public static VerbsException opening(String device, VfioException e) {
        return new VerbsException(errno(e), text(device, "opening it", e), e);
    }

    /** A device that was open failed. Keeps the errno when there is one. */
    public static DeviceException of(String device, String doing, VfioException e) {
        return new DeviceException(errno(e), text(device, doing, e), e);
    }

    private static int errno(VfioException e) {
        return e.errno() == 0 ? VerbsException.EIO : e.errno();
    }

    private static String text(String device, String doing, VfioException e) {
        return "%s: %s failed: %s".formatted(device, doing, e.getMessage());
    }
}
