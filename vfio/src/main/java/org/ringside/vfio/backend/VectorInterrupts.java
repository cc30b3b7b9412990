package org.ringside.vfio.backend;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.EventFd;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.VfioAbi.IrqSet;

/**
 * Interrupts of one kind: makes an eventfd for each vector in use and tells the back end of it.
 *
 * <p>Threading: calls are serialised; waiting for an event is not in here and needs no lock.
 */
public final class VectorInterrupts implements Interrupts {
    private static final int[] NO_FDS = {};
    private static final int ATTACH = IrqSet.FLAG_DATA_EVENTFD | IrqSet.FLAG_ACTION_TRIGGER;
    private static final int FIRE = IrqSet.FLAG_DATA_NONE | IrqSet.FLAG_ACTION_TRIGGER;

    private final SystemCalls calls;
    private final DeviceState state;
    private final InterruptType type;
    private final boolean canAddLater;
    private final InUse inUse;
    private final IrqSetter setter;
    private final @Nullable EventFd[] events;

    /**
     * Which of INTX, MSI and MSIX a device uses now: VFIO has one at a time. One object for each
     * device.
     */
    public static final class InUse {
        private @Nullable InterruptType active;

        /** No kind in use. */
        public InUse() {}

        private synchronized void take(InterruptType wanted, String device) throws VfioException {
            if (wanted == InterruptType.ERR || wanted == InterruptType.REQ) {
                return;
            }
            if (active != null && active != wanted) {
                throw new VfioException(
                        Errno.EBUSY,
                        "%s: %s is in use; disable it before %s, a function has one kind of interrupt at a time"
                                .formatted(device, active, wanted));
            }
            active = wanted;
        }

        private synchronized void release(InterruptType released) {
            if (active == released) {
                active = null;
            }
        }
    }

    /**
     * None in use yet.
     *
     * @param count vectors that the function has
     * @param canAddLater whether vectors can be added to those in use
     */
    public VectorInterrupts(
            SystemCalls calls,
            DeviceState state,
            InterruptType type,
            int count,
            boolean canAddLater,
            InUse inUse,
            IrqSetter setter) {
        this.calls = calls;
        this.state = state;
        this.type = type;
        this.canAddLater = canAddLater;
        this.inUse = inUse;
        this.setter = setter;
        this.events = new @Nullable EventFd[count];
    }

    @Override
    public InterruptType type() {
        return type;
    }

    @Override
    public int count() {
        return events.length;
    }

    @Override
    public boolean canAddLater() {
        return canAddLater;
    }

    @Override
    public synchronized void enable(int vectors) throws VfioException {
        state.checkOpen();
        if (vectors < 1 || vectors > events.length) {
            throw new VfioException(
                    Errno.EINVAL,
                    "%s: %d %s vectors wanted, the function has %d"
                            .formatted(state.name(), vectors, type, events.length));
        }
        disable();
        inUse.take(type, state.name());
        try {
            for (int i = 0; i < vectors; i++) {
                events[i] = newEvent();
            }
            attach(0, vectors);
        } catch (VfioException | RuntimeException e) {
            closeEvents();
            throw e;
        }
    }

    @Override
    public synchronized EventFd add(int vector) throws VfioException {
        state.checkOpen();
        Objects.checkIndex(vector, events.length);
        EventFd known = events[vector];
        if (known != null) {
            return known;
        }
        inUse.take(type, state.name());
        try {
            EventFd added = newEvent();
            events[vector] = added;
            if (canAddLater) {
                attach(vector, 1);
            } else {
                setter.set(FIRE, 0, 0, NO_FDS);
                attach(0, used());
            }
            return added;
        } catch (VfioException | RuntimeException e) {
            closeEvent(vector);
            releaseIfUnused();
            throw e;
        }
    }

    private void attach(int start, int count) throws VfioException {
        int[] fds = new int[count];
        for (int i = 0; i < count; i++) {
            EventFd event = events[start + i];
            fds[i] = event == null ? -1 : event.fd();
        }
        int available = setter.set(ATTACH, start, count, fds);
        if (available > 0) {
            throw new VfioException(
                    Errno.ENOSPC,
                    "%s: the kernel has %d vectors of %s for this function, not %d. Ask for at most %d"
                            .formatted(state.name(), available, type, start + count, available));
        }
    }

    private EventFd newEvent() throws VfioException {
        try {
            return EventFd.create(calls);
        } catch (LinuxException e) {
            throw new VfioException(
                    e.errno(),
                    "%s: no event for an interrupt: %s".formatted(state.name(), e.getMessage()),
                    e);
        }
    }

    @Override
    public synchronized EventFd event(int vector) {
        EventFd event = events[Objects.checkIndex(vector, events.length)];
        if (event == null) {
            throw new IllegalStateException(
                    "%s: vector %d of %s is not in use".formatted(state.name(), vector, type));
        }
        return event;
    }

    @Override
    public synchronized void release(int vector) throws VfioException {
        if (events[Objects.checkIndex(vector, events.length)] == null) {
            return;
        }
        try {
            setter.set(ATTACH, vector, 1, new int[] {-1});
        } finally {
            closeEvent(vector);
            releaseIfUnused();
        }
    }

    @Override
    public synchronized void trigger(int vector) throws VfioException {
        state.checkOpen();
        Objects.checkIndex(vector, events.length);
        setter.set(FIRE, vector, 1, NO_FDS);
    }

    @Override
    public synchronized void mask() throws VfioException {
        checkMaskable();
        setter.set(IrqSet.FLAG_DATA_NONE | IrqSet.FLAG_ACTION_MASK, 0, 1, NO_FDS);
    }

    @Override
    public synchronized void unmask() throws VfioException {
        checkMaskable();
        setter.set(IrqSet.FLAG_DATA_NONE | IrqSet.FLAG_ACTION_UNMASK, 0, 1, NO_FDS);
    }

    private void checkMaskable() throws VfioException {
        state.checkOpen();
        if (type != InterruptType.INTX) {
            throw new VfioException(
                    Errno.ENOTTY,
                    "%s: %s cannot be masked through VFIO, only INTX can"
                            .formatted(state.name(), type));
        }
    }

    @Override
    public synchronized void disable() throws VfioException {
        if (used() == 0) {
            return;
        }
        try {
            setter.set(FIRE, 0, 0, NO_FDS);
        } finally {
            closeEvents();
        }
    }

    /** Closes the events without a word to the back end, which has forgotten them or is gone. */
    public synchronized void closeEvents() {
        for (int i = 0; i < events.length; i++) {
            closeEvent(i);
        }
        inUse.release(type);
    }

    private void closeEvent(int vector) {
        EventFd event = events[vector];
        if (event != null) {
            event.close();
            events[vector] = null;
        }
    }

    /** One more than the highest vector in use, 0 when none is. */
    private int used() {
        int end = events.length;
        while (end > 0 && events[end - 1] == null) {
            end--;
        }
        return end;
    }

    private void releaseIfUnused() {
        if (used() == 0) {
            inUse.release(type);
        }
    }

    @Override
    public synchronized String toString() {
        long count = Arrays.stream(events).filter(Objects::nonNull).count();
        return "%s[%d of %d vectors in use]".formatted(type, count, events.length);
    }
}
