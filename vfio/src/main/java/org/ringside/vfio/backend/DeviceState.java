package org.ringside.vfio.backend;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether a device is open and still there; shared by all objects of one device.
 *
 * <p>Threading: any thread may call any method.
 */
public final class DeviceState {
    private static final Logger LOGGER = System.getLogger(DeviceState.class.getName());

    private final String name;
    private final AtomicBoolean lost = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean accessFailed = new AtomicBoolean();

    /** Open and there. */
    public DeviceState(String name) {
        this.name = name;
    }

    /** The device as the user named it. */
    public String name() {
        return name;
    }

    /** Notes that the device has gone, for ever; only the first reason is logged. */
    public void markLost(String why) {
        markLost(why, Level.WARNING);
    }

    /** As {@link #markLost(String)}, logged at a level: whoever opens a device is told anyway. */
    public void markLost(String why, Level level) {
        if (lost.compareAndSet(false, true)) {
            LOGGER.log(level, "{0}: device lost: {1}", name, why);
        }
    }

    /** Whether the device has gone. */
    public boolean isLost() {
        return lost.get();
    }

    /** Notes that an access by call failed though the device is there; the first one is logged. */
    void accessFailed(String what, Exception why) {
        if (!lost.get() && accessFailed.compareAndSet(false, true)) {
            LOGGER.log(
                    Level.WARNING,
                    "{0}: {1} failed and reads as all ones: {2}",
                    name,
                    what,
                    why.getMessage());
        }
    }

    /** Closes; returns whether this call was the first to do so. */
    public boolean close() {
        return closed.compareAndSet(false, true);
    }

    /** Whether the device is closed. */
    public boolean isClosed() {
        return closed.get();
    }

    /**
     * Checks that the device is open.
     *
     * @throws IllegalStateException once it is closed
     */
    public void checkOpen() {
        if (closed.get()) {
            throw new IllegalStateException(name + " is closed");
        }
    }
}
