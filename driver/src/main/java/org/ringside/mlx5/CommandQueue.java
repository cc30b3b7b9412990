package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.verbs.DeviceException;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * The queue of firmware commands: a page of slots, each with one command in flight (Adapters PRM,
 * Command Interface; Linux cmd.c).
 *
 * <pre>
 *   slot 0 ... n-2   ordinary commands, any number at a time
 *   slot n-1         MANAGE_PAGES only: firmware may wait for pages in the middle of a command
 * </pre>
 *
 * A command is done when its ownership bit is clear, whatever else was or was not heard: waiting
 * for the event only saves the CPU from looking. So a lost interrupt costs time, not a command.
 *
 * <p>A command without answer fails after {@link Mlx5Options#command()}; its slot is used again
 * only after the device has answered.
 *
 * <p>Threading: any thread. Interrupts of waiting threads are kept for later; a command cannot be
 * called back.
 */
final class CommandQueue implements AutoCloseable {
    private static final Logger LOG = System.getLogger(CommandQueue.class.getName());
    private static final int CMDIF_REVISION = 5;
    private static final int PAGE = 4096;
    private static final int SPINS = 200;
    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final String device;
    private final InitSegment registers;
    private final long timeoutNanos;
    private final long healthNanos;
    private final BooleanSupplier deviceGone;
    private final DmaMemory page;
    private final Mailboxes mailboxes;
    private final CommandSlot[] slots;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition slotFree = lock.newCondition();
    private int lastToken;
    private long lateAnswers;
    private volatile boolean checksum;
    private volatile boolean events;
    private volatile @Nullable HealthWatch health;
    private long lookAt;
    private volatile @Nullable VerbsException failure;

    /**
     * Allocates the queue; the device hears of it by {@link #start()}.
     *
     * @param deviceGone whether waiting has become useless
     */
    CommandQueue(
            String device,
            InitSegment registers,
            DmaSpace dma,
            Mlx5Options options,
            BooleanSupplier deviceGone)
            throws VerbsException {
        this.device = device;
        this.registers = registers;
        this.timeoutNanos = options.command().toNanos();
        this.healthNanos = options.health().toNanos();
        this.lookAt = System.nanoTime() + healthNanos;
        this.deviceGone = deviceGone;
        long revision = registers.read(InitialSeg.CMD_INTERFACE_REV);
        if (revision != CMDIF_REVISION) {
            throw new VerbsException(
                    VerbsException.EIO,
                    "%s: command interface revision %d, this driver knows %d (firmware %s)"
                            .formatted(
                                    device, revision, CMDIF_REVISION, registers.firmwareVersion()));
        }
        int logSize = (int) registers.read(InitialSeg.LOG_CMDQ_SIZE);
        int logStride = (int) registers.read(InitialSeg.LOG_CMDQ_STRIDE);
        if (logSize > 5 || logStride < 6 || logSize + logStride > 12) {
            throw new VerbsException(
                    VerbsException.EIO,
                    "%s: command queue of 2^%d slots of 2^%d bytes, expected at most 32 in a page"
                            .formatted(device, logSize, logStride));
        }
        try {
            this.page = dma.allocate(PAGE, PAGE);
        } catch (VfioException e) {
            throw Failures.of(device, "allocating the command queue", e);
        }
        this.mailboxes = new Mailboxes(dma);
        this.slots = new CommandSlot[1 << logSize];
        for (int i = 0; i < slots.length; i++) {
            slots[i] =
                    new CommandSlot(
                            i,
                            page.segment().asSlice((long) i << logStride, 64),
                            mailboxes,
                            lock.newCondition());
        }
    }

    /** Tells the device where the queue is. It must be out of its initialization. */
    void start() {
        registers.setCommandQueue(page.iova());
    }

    /** Whether commands and answers carry signatures from now on. */
    void useChecksum(boolean on) {
        checksum = on;
    }

    /**
     * Who knows whether it is worth while to wait for an answer. Until there are events nobody else
     * looks, so that waiters do.
     */
    void watch(HealthWatch watch) {
        health = watch;
    }

    /**
     * From now on waiters sleep until an event (or look now and then); without, they look all the
     * time.
     */
    void useEvents(boolean on) {
        events = on;
    }

    /** Commands that were answered after their deadline. */
    long lateAnswers() {
        lock.lock();
        try {
            return lateAnswers;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs a command to its end.
     *
     * @return the command, with its answer
     * @throws CommandException when firmware refused it
     * @throws VerbsException ETIMEDOUT without an answer in time, ENODEV when the device is gone
     */
    Command execute(Command command) throws VerbsException {
        executeUnchecked(command);
        if (command.status() != CommandStatus.OK) {
            throw CommandException.refused(device, command);
        }
        return command;
    }

    /** As {@link #execute}, leaving firmware's verdict to the caller. */
    void executeUnchecked(Command command) throws VerbsException {
        long deadline = System.nanoTime() + timeoutNanos;
        boolean pages = command.opcode() == Opcode.MANAGE_PAGES;
        lock.lock();
        try {
            CommandSlot slot = take(command, pages, deadline);
            boolean sign = checksum;
            try {
                slot.give(command, nextToken(), sign);
            } catch (VfioException e) {
                slot.free();
                slotFree.signalAll();
                throw Failures.of(device, "getting memory for " + command.name(), e);
            }
            registers.ringCommands(1 << slot.index);
            await(slot, command, deadline);
            try {
                slot.finish(device, command, sign);
            } finally {
                slotFree.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The device says that these slots may be done. */
    void completed(int slotMask) {
        lock.lock();
        try {
            for (int mask = slotMask; mask != 0; mask &= mask - 1) {
                int index = Integer.numberOfTrailingZeros(mask);
                if (index < slots.length) {
                    look(slots[index]);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Looks at all slots: an event may have been lost, or come before it was waited for. */
    void lookAtAll() {
        lock.lock();
        try {
            for (CommandSlot slot : slots) {
                look(slot);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The device is dead: everything that waits, and everything later, fails with this. */
    void fail(VerbsException why) {
        lock.lock();
        try {
            if (failure == null) {
                failure = why;
            }
            slotFree.signalAll();
            for (CommandSlot slot : slots) {
                slot.done.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void look(CommandSlot slot) {
        if (slot.state == CommandSlot.State.BUSY && slot.isAnswered()) {
            slot.done.signalAll();
        } else if (slot.state == CommandSlot.State.ABANDONED && slot.isAnswered()) {
            lateAnswers++;
            LOG.log(
                    Level.WARNING,
                    "{0}: late answer to {1}; its slot {2} can be used again",
                    device,
                    slot.abandonedCommand(),
                    slot.index);
            slot.free();
            slotFree.signalAll();
        }
    }

    private int nextToken() {
        lastToken = lastToken % 255 + 1;
        return lastToken;
    }

    private CommandSlot take(Command command, boolean pages, long deadline) throws VerbsException {
        int from = pages ? slots.length - 1 : 0;
        int to = pages ? slots.length : Math.max(1, slots.length - 1);
        while (true) {
            checkAlive(command);
            for (int i = from; i < to; i++) {
                look(slots[i]);
                if (slots[i].state == CommandSlot.State.FREE) {
                    slots[i].state = CommandSlot.State.TAKEN;
                    return slots[i];
                }
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new DeviceException(
                        VerbsException.ETIMEDOUT,
                        ("%s: no command slot became free for %s in %d ms; the device has %d"
                                        + " commands that it has not answered")
                                .formatted(
                                        device,
                                        command.name(),
                                        TimeUnit.NANOSECONDS.toMillis(timeoutNanos),
                                        to - from));
            }
            sleep(slotFree, Math.min(left, LOOK_NANOS));
        }
    }

    private void await(CommandSlot slot, Command command, long deadline) throws VerbsException {
        for (int round = 0; !slot.isAnswered(); round++) {
            if (round < SPINS) {
                Thread.onSpinWait();
                continue;
            }
            long left = deadline - System.nanoTime();
            if (!events) {
                lookAtHealth();
            }
            if (failure != null || deviceGone.getAsBoolean()) {
                slot.abandon(command);
                checkAlive(command);
            }
            if (left <= 0) {
                slot.abandon(command);
                throw timedOut(slot, command);
            }
            if (events) {
                sleep(slot.done, Math.min(left, LOOK_NANOS));
            } else {
                pause();
            }
        }
    }

    private void lookAtHealth() {
        HealthWatch watch = health;
        long now = System.nanoTime();
        if (watch == null || now - lookAt < 0) {
            return;
        }
        lookAt = now + healthNanos;
        String why = watch.look();
        if (why != null) {
            fail(new DeviceException(VerbsException.ENODEV, device + ": device is dead: " + why));
        }
    }

    private void pause() {
        lock.unlock();
        try {
            LockSupport.parkNanos(POLL_NANOS);
        } finally {
            lock.lock();
        }
    }

    /** Waits with the lock released; an interrupt is kept for the caller's next blocking call. */
    @SuppressWarnings(
            "WaitNotInLoop") // Both callers loop, with more to look at than the condition.
    private static void sleep(Condition condition, long nanos) {
        boolean interrupted = Thread.interrupted();
        try {
            var _ = condition.awaitNanos(nanos);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void checkAlive(Command command) throws VerbsException {
        VerbsException dead = failure;
        if (dead != null) {
            throw new DeviceException(
                    VerbsException.ENODEV,
                    "%s: %s cannot be done, the device is lost: %s"
                            .formatted(device, command.name(), dead.getMessage()),
                    dead);
        }
        if (deviceGone.getAsBoolean()) {
            throw new DeviceException(
                    VerbsException.ENODEV,
                    ("%s: %s cannot be done, the device has gone (its socket was closed or it left"
                                    + " the bus); open it again when it is back")
                            .formatted(device, command.name()));
        }
    }

    private VerbsException timedOut(CommandSlot slot, Command command) {
        HealthWatch watch = health;
        String dead = watch == null ? null : watch.sensors();
        return new DeviceException(
                dead != null ? VerbsException.ENODEV : VerbsException.ETIMEDOUT,
                "%s: no answer to %s (0x%x) in %d ms; %s; slot %d stays unused until it answers;"
                                .formatted(
                                        device,
                                        command.name(),
                                        command.opcode(),
                                        TimeUnit.NANOSECONDS.toMillis(timeoutNanos),
                                        dead != null
                                                ? dead
                                                : "health syndrome 0x%x"
                                                        .formatted(
                                                                registers.read(
                                                                        InitialSeg
                                                                                .HEALTH_SYNDROME)),
                                        slot.index)
                        + " input "
                        + command.decodeIn());
    }

    /** Gives the memory back, when the device has stopped using it. */
    @Override
    public void close() {
        fail(new DeviceException(VerbsException.ENODEV, device + ": the device is closed"));
        mailboxes.close();
        page.close();
    }
}
