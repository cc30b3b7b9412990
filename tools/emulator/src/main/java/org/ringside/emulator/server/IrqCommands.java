package org.ringside.emulator.server;

import org.ringside.linux.Errno;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.Payload.IrqSet;

/**
 * DEVICE_SET_IRQS.
 *
 * <pre>
 *              | none                    | bool                    | eventfd
 *   trigger    | count 0: detach all;    | fire those that are     | attach; without descriptors:
 *              | else fire               | true                    | detach
 *   mask,      | ENOTTY: MSI-X is masked in its table, which is the client's; the pin, which
 *   unmask     | could be masked, this function does not have
 * </pre>
 */
final class IrqCommands {
    private static final int FLAGS = IrqSet.DATA_MASK | IrqSet.ACTIONS;

    private final BusFunction bus;

    IrqCommands(BusFunction bus) {
        this.bus = bus;
    }

    void set(Message request, Message reply) throws RequestException {
        Session.minPayload(request, IrqSet.SIZE);
        Session.argsz(request, IrqSet.SIZE);
        int flags = request.getInt(IrqSet.FLAGS);
        int data = flags & IrqSet.DATA_MASK;
        int action = flags & IrqSet.ACTIONS;
        if ((flags & ~FLAGS) != 0 || Integer.bitCount(data) != 1 || Integer.bitCount(action) != 1) {
            throw RequestException.invalid(
                    "flags 0x%x: there must be one kind of data and one action".formatted(flags));
        }
        int kinds = InterruptType.values().length;
        IrqVectors vectors =
                bus.irqs(Session.index(request.getInt(IrqSet.INDEX), kinds, "interrupt"));
        checkData(request, data);
        if (request.getInt(IrqSet.COUNT) == 0) {
            disable(request, flags, vectors);
        } else {
            int start = request.getInt(IrqSet.START);
            int count = request.getInt(IrqSet.COUNT);
            if (start < 0 || count < 0 || start > vectors.count() - count) {
                throw RequestException.invalid(
                        "%s vectors from %s on, there are %d"
                                .formatted(
                                        Integer.toUnsignedString(count),
                                        Integer.toUnsignedString(start),
                                        vectors.count()));
            }
            if (action != IrqSet.ACTION_TRIGGER) {
                throw new RequestException(Errno.ENOTTY, "no vector can be masked here");
            }
            trigger(request, data, vectors, start, count);
        }
        reply.reply(request.command(), request.id(), 0);
    }

    private static void disable(Message request, int flags, IrqVectors vectors)
            throws RequestException {
        if (flags != (IrqSet.DATA_NONE | IrqSet.ACTION_TRIGGER)
                || request.getInt(IrqSet.START) != 0) {
            throw RequestException.invalid("count 0 with flags 0x%x".formatted(flags));
        }
        vectors.detachAll();
    }

    private static void checkData(Message request, int data) throws RequestException {
        int fds = request.fds().length;
        int count = request.getInt(IrqSet.COUNT);
        int bools = request.payloadSize() - IrqSet.SIZE;
        if (bools != (data == IrqSet.DATA_BOOL ? count : 0)) {
            throw RequestException.invalid("%d bytes of data".formatted(bools));
        }
        if (fds != 0 && (data != IrqSet.DATA_EVENTFD || fds != count)) {
            throw RequestException.invalid(
                    "%d descriptors for %s vectors"
                            .formatted(fds, Integer.toUnsignedString(count)));
        }
        for (int fd : request.fds()) {
            if (!IrqVectors.isEventFd(fd)) {
                throw RequestException.invalid("a descriptor is no eventfd");
            }
        }
    }

    private static void trigger(
            Message request, int data, IrqVectors vectors, int start, int count) {
        int[] fds = request.takeFds();
        for (int i = 0; i < count; i++) {
            if (data != IrqSet.DATA_EVENTFD) {
                if (data == IrqSet.DATA_NONE || request.getByte(IrqSet.DATA + i) != 0) {
                    vectors.fire(start + i);
                }
            } else if (fds.length == 0) {
                vectors.detach(start + i);
            } else {
                vectors.attach(start + i, fds[i]);
            }
        }
    }
}
