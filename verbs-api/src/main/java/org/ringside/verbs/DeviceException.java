package org.ringside.verbs;

/**
 * The device failed: it refused a command, gave no answer, or has died or gone (ENODEV). Nothing is
 * wrong with the name that it was opened by, nor with an argument as far as that could be checked
 * before. After ENODEV a {@link Context} is of no use any more ({@link Context#isLost()}); close it
 * and open the device again when it is back.
 */
public class DeviceException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /**
     * @param errno Linux error number
     * @param message what failed, why, the cure
     */
    public DeviceException(int errno, String message) {
        super(errno, message);
    }

    public DeviceException(int errno, String message, Throwable cause) {
        super(errno, message, cause);
    }
}
