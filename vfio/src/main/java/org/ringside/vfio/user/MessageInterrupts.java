package org.ringside.vfio.user;

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
import org.ringside.vfio.backend.DeviceState;
import org.ringside.vfio.user.Payload.IrqSet;

/** Interrupts by DEVICE_SET_IRQS: our eventfds go to the server, which writes to them. */
final class MessageInterrupts implements Interrupts {
    private static final int ATTACH = IrqSet.DATA_EVENTFD | IrqSet.ACTION_TRIGGER;

    private final SystemCalls calls;
    private final Connection connection;
    private final DeviceState state;
    private final InterruptType type;
    private final boolean canAddLater;
    private final int maxFds;
    private final InUse inUse;
    private final @Nullable EventFd[] events; // guarded by this

    /** Which of INTX, MSI and MSIX a device uses now. */
    static final class InUse {
        private @Nullable InterruptType type;

        synchronized void take(InterruptType wanted, String device) throws VfioException {
            if (isExclusive(wanted)) {
                if (type != null && type != wanted) {
                    throw new VfioException(
                            Errno.EBUSY,
                            "%s: %s is in use; disable it before %s"
                                    .formatted(device, type, wanted));
                }
                type = wanted;
            }
        }

        synchronized void release(InterruptType released) {
            if (type == released) {
                type = null;
            }
        }

        private static boolean isExclusive(InterruptType type) {
            return type != InterruptType.ERR && type != InterruptType.REQ;
        }
    }

    /**
     * One kind of interrupt.
     *
     * @param count vectors that the function has
     * @param maxFds descriptors that the server takes beside one message
     */
    MessageInterrupts(
            SystemCalls calls,
            Connection connection,
            DeviceState state,
            InterruptType type,
            int count,
            boolean canAddLater,
            int maxFds,
            InUse inUse) {
        this.calls = calls;
        this.connection = connection;
        this.state = state;
        this.type = type;
        this.canAddLater = canAddLater;
        this.maxFds = Math.max(1, Math.min(maxFds, SystemCalls.MAX_MESSAGE_FDS));
        this.inUse = inUse;
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
        boolean good = false;
        try {
            for (int i = 0; i < vectors; i++) {
                events[i] = newEvent();
            }
            attachAll();
            good = true;
        } finally {
            if (!good) {
                closeEvents();
            }
        }
    }

    @Override
    public synchronized EventFd add(int vector) throws VfioException {
        state.checkOpen();
        check(vector);
        EventFd known = events[vector];
        if (known != null) {
            return known;
        }
        inUse.take(type, state.name());
        EventFd event = newEvent();
        events[vector] = event;
        boolean good = false;
        try {
            if (canAddLater) {
                set(ATTACH, vector, 1, event.fd());
            } else {
                set(IrqSet.DATA_NONE | IrqSet.ACTION_TRIGGER, 0, 0);
                attachAll();
            }
            good = true;
            return event;
        } finally {
            if (!good) {
                event.close();
                events[vector] = null;
                releaseIfUnused();
            }
        }
    }

    /** Attaches all events; a run of unused vectors goes as a message without descriptors. */
    private void attachAll() throws VfioException {
        int end = events.length;
        while (end > 0 && events[end - 1] == null) {
            end--;
        }
        int[] fds = new int[maxFds];
        for (int start = 0; start < end; ) {
            boolean used = events[start] != null;
            int n = 0;
            while (start + n < end && (events[start + n] != null) == used && n < maxFds) {
                EventFd event = events[start + n];
                fds[n++] = event == null ? -1 : event.fd();
            }
            set(ATTACH, start, n, used ? Arrays.copyOf(fds, n) : new int[0]);
            start += n;
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
        check(vector);
        EventFd event = events[vector];
        if (event == null) {
            throw new IllegalStateException(
                    "%s: vector %d of %s is not in use".formatted(state.name(), vector, type));
        }
        return event;
    }

    @Override
    public synchronized void release(int vector) throws VfioException {
        check(vector);
        EventFd event = events[vector];
        if (event == null) {
            return;
        }
        events[vector] = null;
        try {
            set(ATTACH, vector, 1);
        } finally {
            event.close();
            releaseIfUnused();
        }
    }

    @Override
    public synchronized void trigger(int vector) throws VfioException {
        state.checkOpen();
        check(vector);
        set(IrqSet.DATA_NONE | IrqSet.ACTION_TRIGGER, vector, 1);
    }

    @Override
    public synchronized void mask() throws VfioException {
        checkMaskable();
        set(IrqSet.DATA_NONE | IrqSet.ACTION_MASK, 0, 1);
    }

    @Override
    public synchronized void unmask() throws VfioException {
        checkMaskable();
        set(IrqSet.DATA_NONE | IrqSet.ACTION_UNMASK, 0, 1);
    }

    private void checkMaskable() throws VfioException {
        state.checkOpen();
        if (type != InterruptType.INTX) {
            throw new VfioException(
                    Errno.ENOTTY,
                    "%s: %s cannot be masked through VFIO".formatted(state.name(), type));
        }
    }

    @Override
    public synchronized void disable() throws VfioException {
        if (!isUsed()) {
            return;
        }
        try {
            set(IrqSet.DATA_NONE | IrqSet.ACTION_TRIGGER, 0, 0);
        } finally {
            closeEvents();
        }
    }

    /** Closes the events without a word to the server. */
    synchronized void closeEvents() {
        for (int i = 0; i < events.length; i++) {
            EventFd event = events[i];
            if (event != null) {
                event.close();
                events[i] = null;
            }
        }
        inUse.release(type);
    }

    private boolean isUsed() {
        for (EventFd event : events) {
            if (event != null) {
                return true;
            }
        }
        return false;
    }

    private void releaseIfUnused() {
        if (!isUsed()) {
            inUse.release(type);
        }
    }

    private void check(int vector) {
        Objects.checkIndex(vector, events.length);
    }

    private void set(int flags, int start, int count, int... fds) throws VfioException {
        Exchange exchange = connection.begin();
        try {
            exchange.request(Command.DEVICE_SET_IRQS, IrqSet.SIZE)
                    .putInt(IrqSet.ARGSZ, IrqSet.SIZE)
                    .putInt(IrqSet.FLAGS, flags)
                    .putInt(IrqSet.INDEX, type.index())
                    .putInt(IrqSet.START, start)
                    .putInt(IrqSet.COUNT, count)
                    .withFds(fds);
            connection.call(exchange, 0);
        } finally {
            connection.end(exchange);
        }
    }
}
