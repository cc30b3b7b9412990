package org.ringside.emulator.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.record.Recorder;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.CommandLayouts;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.DeliveryStatus;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.Opcode;

/**
 * The slots of the command queue. A doorbell only marks slots; the agent's next duty cycle takes
 * them up, so the store that rang returns at once. Commands complete as they are done: one that
 * waits for pages lets others pass.
 *
 * <pre>
 *   FREE --doorbell--> RUNG --due--> (checked) --+--> answered --> FREE
 *                                                +--> WAITING for pages, or held --> answered
 * </pre>
 */
final class CommandQueue {
    private static final Logger LOG = System.getLogger(CommandQueue.class.getName());
    private static final int SLOTS = 1 << InitSegment.LOG_QUEUE_SIZE;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private enum State {
        FREE,
        RUNG,
        WAITING,
        /** Taken up, but its answer got lost. */
        LOST
    }

    /** One slot. */
    private static final class Slot {
        final int number;
        State state = State.FREE;
        long dueAt;

        /** Whether an EQ waited for its completion when the command was taken up. */
        boolean announced;

        /** Whether the event that tells of its last completion got lost. */
        boolean eventLost;

        @Nullable CommandEntry entry;
        @Nullable Command command;
        @Nullable CommandSpec spec;
        long[] outputBlocks = {};

        Slot(int number) {
            this.number = number;
        }
    }

    private final Hca hca;
    private final CommandTable table;
    private final Mailboxes mailboxes;
    private final Slot[] slots = new Slot[SLOTS];
    private final Random noise = new Random(1);
    private int busy;

    CommandQueue(Hca hca, CommandTable table) {
        this.hca = hca;
        this.table = table;
        this.mailboxes = new Mailboxes(hca.dma());
        for (int i = 0; i < SLOTS; i++) {
            slots[i] = new Slot(i);
        }
    }

    /** Whether some command is not answered yet. */
    boolean isBusy() {
        return busy > 0;
    }

    /** The driver wrote the doorbell vector. */
    void doorbell(int vector) {
        if (vector == 0) {
            hca.findings().report(Finding.Kind.DOORBELL, "command doorbell with no slot in it");
        }
        if (hca.init().isInitializing() || hca.init().queue() == 0) {
            hca.findings()
                    .report(
                            Finding.Kind.REGISTER,
                            "command doorbell 0x%08x %s: ignored"
                                    .formatted(
                                            vector,
                                            hca.init().queue() == 0
                                                    ? "without a command queue"
                                                    : "while the function initializes"));
            return;
        }
        int millis = Math.max(hca.options().commandMillis(), hca.faults().commandMillis());
        long due = System.nanoTime() + millis * NANOS_PER_MILLI;
        for (int i = 0; i < SLOTS; i++) {
            if ((vector >>> i & 1) != 0) {
                ring(slots[i], due);
            }
        }
    }

    private void ring(Slot slot, long due) {
        if (slot.state != State.FREE) {
            hca.findings()
                    .report(
                            Finding.Kind.DOORBELL,
                            "doorbell for command slot %d, which is not answered yet: %s"
                                    .formatted(slot.number, slot.command));
            return;
        }
        slot.eventLost = false;
        slot.state = State.RUNG;
        slot.dueAt = due;
        busy++;
    }

    /** Does what is due; returns how many commands moved on. */
    int poll() {
        int moved = hca.faults().takeLateAnswers() ? answerLate() : 0;
        if (busy == 0 || hca.faults().healthSyndrome() != 0 || hca.faults().isNicDisabled()) {
            return moved;
        }
        for (Slot slot : slots) {
            if (slot.state == State.RUNG && System.nanoTime() - slot.dueAt >= 0) {
                moved += take(slot);
            } else if (slot.state == State.WAITING) {
                moved += resume(slot);
            }
        }
        return moved;
    }

    /** What got lost comes after all. */
    private int answerLate() {
        int found = 0;
        for (Slot slot : slots) {
            if (slot.state == State.LOST) {
                slot.state = State.RUNG;
                busy++;
                found++;
            } else if (slot.eventLost) {
                slot.eventLost = false;
                hca.events().commandDone(slot.number);
                found++;
            }
        }
        return found;
    }

    /** How long the agent may sleep because of commands that are not due. */
    long maxParkNanos() {
        return busy == 0 ? Long.MAX_VALUE : NANOS_PER_MILLI;
    }

    private int take(Slot slot) {
        slot.announced = hca.events().wants(EventType.CMD);
        try {
            CommandEntry entry =
                    new CommandEntry(
                            hca.dma(),
                            hca.init().queue()
                                    + ((long) slot.number << InitSegment.LOG_QUEUE_STRIDE));
            if (!entry.isHardwareOwned()) {
                hca.findings()
                        .report(
                                Finding.Kind.DOORBELL,
                                "doorbell for command slot %d, which software owns: %s"
                                        .formatted(slot.number, entry));
                free(slot);
                return 1;
            }
            slot.entry = entry;
            deliver(slot, entry);
        } catch (DmaFault e) {
            // Hardware has no way to tell the driver that it cannot reach the queue.
            fault(slot, e);
        }
        return 1;
    }

    private void deliver(Slot slot, CommandEntry entry) {
        boolean signed = hca.capabilities().signsCommands();
        Command command;
        try {
            entry.check(signed);
            MemorySegment in = MemorySegment.ofArray(new byte[entry.inputLength()]);
            entry.copyInline(in);
            mailboxes.read(entry.inputMailbox(), entry.token(), signed, in);
            slot.outputBlocks =
                    mailboxes.outputBlocks(
                            entry.outputMailbox(), entry.token(), entry.outputLength());
            command = new Command(in, entry.outputLength());
        } catch (Mailboxes.BadChain e) {
            undelivered(slot, entry, e.status(), e.text());
            return;
        } catch (DmaFault e) {
            undelivered(slot, entry, DeliveryStatus.INTERNAL_ERROR, e.getMessage());
            return;
        }
        slot.command = command;
        hca.faults().commandDelivered();
        if (hca.faults().isRemoved()) {
            free(slot);
            return;
        }
        if (hca.faults().takeCommandDrop()) {
            // The entry stays the device's.
            free(slot);
            slot.state = State.LOST;
            return;
        }
        CommandSpec spec = table.find(command.opcode());
        slot.spec = spec;
        if (spec == null) {
            answer(
                    slot,
                    command,
                    Refusal.of(Reason.UNKNOWN_OPCODE, "opcode 0x%x", command.opcode()));
            return;
        }
        try {
            spec.check(command, hca.state(), hca.capabilities().has(CmdHcaCap.LOG_MAX_UCTX));
            var _ = userContext(command);
            hca.pages().checkStartup(spec);
        } catch (Refusal e) {
            answer(slot, command, e);
            return;
        }
        if (hca.faults().holds(spec.opcode()) || hca.pages().wantsMoreFor(spec)) {
            slot.state = State.WAITING;
            return;
        }
        run(slot, spec, command);
    }

    /** Whose command it is; null for the driver's. */
    private HwObject.@Nullable Plain userContext(Command command) {
        long uid = CommandIn.UID.get(command.in(), 0);
        return uid == 0 || uid == Caller.SHARED ? null : hca.objects().userContexts().get(uid);
    }

    private int resume(Slot slot) {
        Command command = slot.command;
        CommandSpec spec = slot.spec;
        if (command == null || spec == null) {
            throw new IllegalStateException("slot " + slot.number + " waits without a command");
        }
        if (hca.faults().holds(spec.opcode()) || hca.pages().isWaiting()) {
            return 0;
        }
        if (hca.pages().takeDenied()) {
            answer(
                    slot,
                    command,
                    new Refusal(Reason.NO_PAGES, "the driver could not give pages for it"));
        } else {
            run(slot, spec, command);
        }
        return 1;
    }

    private void run(Slot slot, CommandSpec spec, Command command) {
        try {
            boolean shares = CommandIn.UID.get(command.in(), 0) == Caller.SHARED;
            hca.caller().during(userContext(command), shares, () -> spec.handler().run(command));
        } catch (Refusal e) {
            answer(slot, command, e);
            return;
        } catch (DmaFault e) {
            answer(slot, command, new Refusal(Reason.NOT_MAPPED, e.getMessage()));
            return;
        } catch (RuntimeException e) {
            // A hole in the model must not leave the driver waiting.
            answer(slot, command, new Refusal(Reason.MODEL_FAULT, e.toString()));
            throw e;
        }
        if (hca.faults().takeGarbage()) {
            complete(slot, DeliveryStatus.OK, garbage(command.out().byteSize()));
            return;
        }
        complete(slot, DeliveryStatus.OK, command.out());
    }

    /** The same at each run, so that what it does to a driver can be seen again. */
    private MemorySegment garbage(long length) {
        byte[] bytes = new byte[(int) length];
        noise.nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private void answer(Slot slot, Command command, Refusal why) {
        command.refuse(why);
        CommandSpec spec = slot.spec;
        hca.findings()
                .report(
                        Finding.Kind.COMMAND,
                        "%s; %s"
                                .formatted(
                                        command,
                                        command.describe(
                                                spec == null ? CommandIn.LAYOUT : spec.in())));
        complete(slot, DeliveryStatus.OK, command.out());
    }

    private void undelivered(Slot slot, CommandEntry entry, int status, String text) {
        hca.findings()
                .report(
                        Finding.Kind.DELIVERY,
                        "%s in slot %d: %s; %s"
                                .formatted(DeliveryStatus.name(status), slot.number, text, entry));
        slot.outputBlocks = new long[0];
        complete(slot, status, MemorySegment.ofArray(new byte[CommandEntry.INLINE]));
    }

    private void complete(Slot slot, int deliveryStatus, MemorySegment output) {
        CommandEntry entry = slot.entry;
        Command command = slot.command;
        try {
            if (entry != null) {
                mailboxes.write(slot.outputBlocks, hca.capabilities().signsCommands(), output);
                Recorder recorder = hca.recorder();
                if (recorder != null) {
                    recorder.command(
                            slot.number,
                            deliveryStatus,
                            entry.asWritten(),
                            command == null ? null : command.in(),
                            output);
                }
                entry.complete(deliveryStatus, output);
            }
        } catch (DmaFault e) {
            fault(slot, e);
            return;
        }
        if (command != null && LOG.isLoggable(Level.DEBUG)) {
            log(slot.number, command);
        }
        boolean announced = slot.announced;
        free(slot);
        // The driver polls for the CREATE_EQ that makes the first EQ with command events.
        if (announced) {
            if (hca.faults().takeEventDrop()) {
                slot.eventLost = true;
            } else {
                hca.events().commandDone(slot.number);
            }
        }
        if (command != null
                && command.status() == CommandStatus.OK
                && command.opcode() == Opcode.SET_HCA_CAP) {
            // Its own answer still goes by the old rules.
            hca.capabilities().commit();
        }
    }

    private void log(int slot, Command command) {
        MemorySegment in = command.in();
        MemorySegment out = command.out();
        LOG.log(
                Level.DEBUG,
                "%s: slot %d: %s -> %s"
                        .formatted(
                                hca.options().name(),
                                slot,
                                CommandLayouts.describeIn(in, 0, in.byteSize()),
                                CommandLayouts.describeOut(in, 0, out, 0, out.byteSize())));
    }

    private void fault(Slot slot, DmaFault e) {
        hca.findings()
                .report(
                        Finding.Kind.DMA,
                        "command slot %d of the queue at 0x%x: %s; the command is lost"
                                .formatted(slot.number, hca.init().queue(), e.getMessage()));
        free(slot);
    }

    /** Forgets all commands without an answer. */
    void drop() {
        for (Slot slot : slots) {
            if (slot.state == State.LOST) {
                slot.state = State.FREE;
            } else if (slot.state != State.FREE) {
                free(slot);
            }
            slot.eventLost = false;
        }
    }

    private void free(Slot slot) {
        slot.state = State.FREE;
        slot.entry = null;
        slot.command = null;
        slot.spec = null;
        slot.outputBlocks = new long[0];
        busy--;
    }
}
