package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.vfio.VfioException;

/**
 * One slot of the command queue and the command in it (Adapters PRM, Command Interface; Linux
 * cmd.c).
 *
 * <pre>
 *   FREE --take--> TAKEN --give to device--> BUSY --device clears ownership--> FREE
 *                                              |
 *                                              +--deadline--> ABANDONED --late answer--> FREE
 * </pre>
 *
 * An abandoned slot, with its mailboxes, is the device's until it answers: it may still write
 * there.
 *
 * <p>Threading: state under the queue's lock, the ownership byte by anyone.
 */
final class CommandSlot {
    enum State {
        FREE,
        TAKEN,
        BUSY,
        ABANDONED
    }

    private static final int INLINE = CmdQueueEntry.COMMAND_INPUT_INLINE_DATA.count();
    private static final int TYPE_PCI = 7;
    private static final int OWNERSHIP = 63;
    private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

    final int index;

    /** Signalled when the device may be done, or when it is lost. */
    final Condition done;

    State state = State.FREE;
    private final MemorySegment entry;
    private final Mailboxes mailboxes;
    private List<Mailboxes.Block> inChain = List.of();
    private List<Mailboxes.Block> outChain = List.of();
    private int token;
    private @Nullable String abandoned;

    CommandSlot(int index, MemorySegment entry, Mailboxes mailboxes, Condition done) {
        this.index = index;
        this.entry = entry;
        this.mailboxes = mailboxes;
        this.done = done;
    }

    /**
     * Writes entry and mailboxes, the ownership byte last. The doorbell is the caller's.
     *
     * @param token not 0
     * @param checksum whether mailboxes are signed; entries always are
     */
    void give(Command command, int token, boolean checksum) throws VfioException {
        this.token = token;
        MemorySegment in = command.in();
        MemorySegment out = command.out();
        inChain = mailboxes.take((int) in.byteSize() - INLINE);
        outChain = mailboxes.take((int) out.byteSize() - INLINE);
        Mailboxes.link(inChain, token);
        Mailboxes.fill(inChain, in, INLINE);
        Mailboxes.link(outChain, token);
        if (checksum) {
            Mailboxes.sign(inChain);
            Mailboxes.sign(outChain);
        }

        entry.fill((byte) 0);
        CmdQueueEntry.TYPE.set(entry, 0, TYPE_PCI);
        CmdQueueEntry.INPUT_LENGTH.set(entry, 0, in.byteSize());
        MemorySegment.copy(
                in,
                0,
                entry,
                CmdQueueEntry.COMMAND_INPUT_INLINE_DATA.offset(),
                Math.min(INLINE, in.byteSize()));
        if (!inChain.isEmpty()) {
            long iova = inChain.getFirst().iova();
            CmdQueueEntry.INPUT_MAILBOX_POINTER_63_32.set(entry, 0, iova >>> 32);
            CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.set(entry, 0, (iova & 0xffff_ffffL) >>> 9);
        }
        if (!outChain.isEmpty()) {
            long iova = outChain.getFirst().iova();
            CmdQueueEntry.OUTPUT_MAILBOX_POINTER_63_32.set(entry, 0, iova >>> 32);
            CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.set(entry, 0, (iova & 0xffff_ffffL) >>> 9);
        }
        CmdQueueEntry.OUTPUT_LENGTH.set(entry, 0, out.byteSize());
        CmdQueueEntry.TOKEN.set(entry, 0, token);
        int signature = Signatures.complement(entry, 0, OWNERSHIP) ^ 1;
        CmdQueueEntry.SIGNATURE.set(entry, 0, signature);
        BYTE.setRelease(entry, (long) OWNERSHIP, (byte) 1);
        state = State.BUSY;
    }

    /** Whether the device has given the entry back; what it wrote can be read then. */
    boolean isAnswered() {
        return ((byte) BYTE.getAcquire(entry, (long) OWNERSHIP) & 1) == 0;
    }

    /**
     * Copies the answer out and frees the slot. Only when {@link #isAnswered()}.
     *
     * @throws CommandException when it was not delivered or is damaged; refusals are the caller's
     */
    void finish(String device, Command command, boolean checksum) throws CommandException {
        int delivery = (int) CmdQueueEntry.STATUS.get(entry, 0);
        long tokenNow = CmdQueueEntry.TOKEN.get(entry, 0);
        boolean intact =
                !checksum
                        || (Signatures.xor(entry, 0, entry.byteSize()) == Signatures.GOOD
                                && Mailboxes.verify(outChain));
        MemorySegment out = command.out();
        MemorySegment.copy(
                entry,
                CmdQueueEntry.COMMAND_OUTPUT_INLINE_DATA.offset(),
                out,
                0,
                Math.min(INLINE, out.byteSize()));
        Mailboxes.drain(outChain, out, INLINE);
        free();
        if (delivery != 0) {
            throw CommandException.undelivered(device, command, delivery);
        }
        if (tokenNow != token) {
            throw CommandException.damaged(
                    device, command, "token 0x%x, expected 0x%x".formatted(tokenNow, token));
        }
        if (!intact) {
            throw CommandException.damaged(device, command, "wrong signature");
        }
    }

    /** Nobody waits any more, but the device still has it. */
    void abandon(Command command) {
        state = State.ABANDONED;
        abandoned = command.name();
    }

    /** What was abandoned here. */
    @Nullable String abandonedCommand() {
        return abandoned;
    }

    /** The slot and its mailboxes can be used again. */
    void free() {
        mailboxes.giveBack(inChain);
        mailboxes.giveBack(outChain);
        inChain = List.of();
        outChain = List.of();
        abandoned = null;
        state = State.FREE;
    }

    @Override
    public String toString() {
        return "slot " + index + " " + state + " " + CmdQueueEntry.LAYOUT.decode(entry, 0);
    }
}
