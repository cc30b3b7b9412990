package org.ringside.mlx5;

import org.ringside.verbs.VerbsException;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * What the host says about the function, not the function itself (Linux vfio_pci_core.c). Both end
 * the device for verbs, as Linux's own driver tells its users with IBV_EVENT_DEVICE_FATAL; an
 * application that then closes its context lets the host go on.
 */
enum BusSignal {
    ERROR(
            InterruptType.ERR,
            "the bus reported an uncorrectable error of the function; the kernel's log has more"),
    REQUEST(
            InterruptType.REQ,
            "the host wants the function back (unbind or hot unplug) and waits until it is closed");

    private final InterruptType type;
    private final String meaning;

    BusSignal(InterruptType type, String meaning) {
        this.type = type;
        this.meaning = meaning;
    }

    /** Hears both, where the host has them. */
    static void listen(
            VfioDevice vfio, String name, EventThread thread, DeviceEvents events, UndoStack undo)
            throws VerbsException {
        for (BusSignal signal : values()) {
            try {
                Interrupts interrupts = vfio.interrupts(signal.type);
                if (interrupts.count() > 0) {
                    interrupts.enable(1);
                    undo.push("ignoring " + signal.type, () -> disable(interrupts, name));
                    thread.add(interrupts.event(0), () -> events.die(signal.meaning));
                }
            } catch (VfioException e) {
                throw Failures.of(name, "listening to " + signal.type, e);
            }
        }
    }

    private static void disable(Interrupts interrupts, String name) throws VerbsException {
        try {
            interrupts.disable();
        } catch (VfioException e) {
            throw Failures.of(name, "ignoring " + interrupts.type(), e);
        }
    }
}
