package org.ringside.mlx5;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.EventFd;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * A device that {@link BringUp} has made ready: what the verbs objects work with.
 *
 * <p>Threading: under the context's lock.
 */
final class Mlx5Device {
    private static final int COMPLETION_ENTRIES = 1024;

    /** What an EQ may have at most when the device does not say; spare entries come on top. */
    private static final int LEAST_ENTRIES = 64;

    final String name;
    final VfioDevice vfio;
    final InitSegment registers;
    final CommandQueue commands;
    final FirmwarePages pages;
    final Capabilities caps;
    final Port port;
    final Uars uars;

    /** Page with the doorbells of EQs and CQs. */
    final Uars.Page doorbells;

    /** The EQ for everything but completions. */
    final EventQueue asyncQueue;

    final DeviceEvents events;
    final QpTable qps = new QpTable();

    private final EventThread eventThread;
    private final UndoStack undo;
    private final List<EventQueue> completionQueues = new ArrayList<>();

    Mlx5Device(
            String name,
            VfioDevice vfio,
            InitSegment registers,
            CommandQueue commands,
            FirmwarePages pages,
            Capabilities caps,
            Port port,
            Uars uars,
            Uars.Page doorbells,
            EventQueue asyncQueue,
            DeviceEvents events,
            EventThread eventThread,
            UndoStack undo) {
        this.name = name;
        this.vfio = vfio;
        this.registers = registers;
        this.commands = commands;
        this.pages = pages;
        this.caps = caps;
        this.port = port;
        this.uars = uars;
        this.doorbells = doorbells;
        this.asyncQueue = asyncQueue;
        this.events = events;
        this.eventThread = eventThread;
        this.undo = undo;
    }

    /** Whether the device has died or gone. */
    boolean isDead() {
        return events.isDead();
    }

    /** Hears the last events of an object that the device has just taken back. */
    void hearLastEvents() {
        eventThread.hearNow();
    }

    /** Interrupt vectors for completions: those behind the first, or the first if it is alone. */
    int completionVectors() throws VerbsException {
        return Math.max(1, interrupts().count() - 1);
    }

    private Interrupts interrupts() throws VerbsException {
        try {
            return vfio.interrupts(InterruptType.MSIX);
        } catch (VfioException e) {
            throw Failures.of(name, "looking at its interrupts", e);
        }
    }

    /** The EQ of a completion vector, made when first needed. */
    EventQueue completionQueue(int completionVector) throws VerbsException {
        Interrupts interrupts = interrupts();
        int vector = interrupts.count() > 1 ? completionVector + 1 : 0;
        for (EventQueue queue : completionQueues) {
            if (queue.vector() == vector) {
                return queue;
            }
        }
        EventFd event;
        try {
            event = vector == 0 ? interrupts.event(0) : interrupts.add(vector);
        } catch (VfioException e) {
            throw Failures.of(name, "enabling interrupt vector " + vector, e);
        }
        EventQueue queue =
                new EventQueue(
                        name,
                        commands,
                        vfio.dma(),
                        doorbells,
                        vector,
                        entries(caps, COMPLETION_ENTRIES),
                        0);
        completionQueues.add(queue);
        undo.push("DESTROY_EQ of vector " + vector, () -> drop(queue));
        eventThread.add(queue, event);
        return queue;
    }

    private void drop(EventQueue queue) throws VerbsException {
        eventThread.remove(queue);
        queue.destroy();
    }

    /** Entries for an EQ, spare ones not counted, that the device can have. */
    static int entries(Capabilities caps, int wanted) {
        int most = caps.powerOfTwo(CmdHcaCap.LOG_MAX_EQ_SZ);
        return most < 2 * EventQueue.SPARE ? LEAST_ENTRIES : Math.min(wanted, most / 2);
    }

    /**
     * Takes the device down in the reverse order of its bring-up and gives everything back, as far
     * as it still answers. In the end the VFIO device is closed, whatever happened before.
     *
     * @return the first failure, null when there was none
     */
    @Nullable VerbsException close() {
        return undo.undoAll(isDead());
    }

    @Override
    public String toString() {
        return "%s: firmware %s, %d firmware pages (peak %d, refused %d)"
                .formatted(
                        name,
                        registers.firmwareVersion(),
                        pages.given(),
                        pages.peak(),
                        pages.refused());
    }
}
