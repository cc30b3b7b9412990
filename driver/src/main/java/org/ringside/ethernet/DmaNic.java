package org.ringside.ethernet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * What ports of NICs that are driven over VFIO have in common: the link as it was seen last, and an
 * end after which the NIC reaches no memory any more.
 */
public abstract class DmaNic implements EthernetPort {
    /** Status and link are registers, which are slow to read: so often and no more. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final Logger LOG = System.getLogger(DmaNic.class.getName());

    private final VfioDevice device;
    private final String kind;
    private long lastLook;
    private volatile boolean up;
    private volatile boolean failed;
    private boolean closed;

    /**
     * @param kind of the NIC, for people
     */
    protected DmaNic(VfioDevice device, String kind) {
        this.device = device;
        this.kind = kind;
    }

    protected final VfioDevice device() {
        return device;
    }

    @Override
    public final String description() {
        return kind + " " + device.name();
    }

    @Override
    public final boolean isUp() {
        return up && !isLost();
    }

    @Override
    public final boolean isLost() {
        return failed || device.isLost();
    }

    /** Whether it was given up: then nothing may be handed to the NIC. */
    protected final boolean hasFailed() {
        return failed;
    }

    /** Looks at the NIC when the last look was some time ago. */
    protected final void lookNowAndThen(long now) {
        if (now - lastLook > LOOK_NANOS) {
            lookNow(now);
        }
    }

    /** Looks at the NIC. */
    protected final void lookNow(long now) {
        lastLook = now;
        boolean link = look();
        up = link && !failed;
    }

    /** Reads whether the link is up; {@link #fail}s when the NIC is not as it should be. */
    protected abstract boolean look();

    /** Gives the port up. */
    protected final void fail(String why) {
        if (!failed) {
            failed = true;
            up = false;
            LOG.log(
                    Level.ERROR,
                    "{0}: {1}; the port is given up, open it again",
                    device.name(),
                    why);
            giveUp();
        }
    }

    /** Whatever the device does, it shall not do it to our memory any more. */
    protected final void giveUp() {
        if (device.isLost()) {
            return;
        }
        try {
            stop();
        } catch (VfioException e) {
            LOG.log(Level.WARNING, "{0}", e.getMessage());
        }
        try {
            device.config().disableBusMaster();
        } catch (VfioException e) {
            LOG.log(Level.WARNING, "{0}", e.getMessage());
        }
    }

    /** Has the NIC stop. */
    protected abstract void stop() throws VfioException;

    /** Gives back the memory that the NIC used. */
    protected abstract void release();

    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        up = false;
        if (!failed) {
            failed = true;
            giveUp();
        }
        release();
        device.close();
    }
}
