package org.ringside.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ringside.mlx5.layout.CmdMailbox;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.CommandIn;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.vfio.testing.RecordingMmio;

/**
 * Firmware that does what a test tells it: takes commands from the queue when the doorbell rings,
 * and answers them, late, wrongly or never. Only for what a good device does not do.
 */
final class FakeFirmware {
    private static final int DOORBELL = 0x18;
    private static final int INLINE = 16;

    final RecordingMmio bar = new RecordingMmio(0x8000);
    final TestDma dma = new TestDma();

    /** Slots that the doorbell has named and that are not answered. */
    final List<Integer> pending = new ArrayList<>();

    private Responder responder = this::succeed;
    private final long[] queue = new long[1];

    /** What is done with a command when the doorbell rings. */
    interface Responder {
        void command(int slot, MemorySegment entry, byte[] in);
    }

    FakeFirmware() {
        this(5);
    }

    FakeFirmware(int logSlots) {
        set(InitialSeg.CMD_INTERFACE_REV.dword(), 5 << 16 | 4030);
        set(InitialSeg.FW_REV_MAJOR.dword(), 35 << 16 | 16);
        set(InitialSeg.LOG_CMDQ_SIZE.dword(), logSlots << 4 | 6);
        bar.onAccess(
                access -> {
                    if (access.write()
                            && access.offset() == InitialSeg.CMDQ_PHY_ADDR_31_12.dword()) {
                        queue[0] =
                                Integer.toUnsignedLong(get(InitialSeg.CMDQ_PHY_ADDR_63_32.dword()))
                                                << 32
                                        | Integer.reverseBytes((int) access.value()) & 0xffff_f000L;
                    }
                    if (access.write() && access.offset() == DOORBELL) {
                        ring(Integer.reverseBytes((int) access.value()));
                    }
                });
    }

    void set(int offset, int value) {
        bar.setInt(offset, Integer.reverseBytes(value));
    }

    private int get(int offset) {
        return Integer.reverseBytes(bar.getInt(offset));
    }

    void respondWith(Responder responder) {
        this.responder = responder;
    }

    private void ring(int mask) {
        for (int rest = mask; rest != 0; rest &= rest - 1) {
            int slot = Integer.numberOfTrailingZeros(rest);
            synchronized (pending) {
                pending.add(slot);
            }
            MemorySegment entry = entry(slot);
            responder.command(slot, entry, input(entry));
        }
    }

    MemorySegment entry(int slot) {
        return dma.at(queue[0] + slot * 64L, 64);
    }

    /** The whole input, inline part and mailboxes. */
    byte[] input(MemorySegment entry) {
        int length = (int) CmdQueueEntry.INPUT_LENGTH.get(entry, 0);
        byte[] in = new byte[length];
        MemorySegment to = MemorySegment.ofArray(in);
        MemorySegment.copy(entry, 16, to, 0, Math.min(INLINE, length));
        int at = INLINE;
        for (MemorySegment block : chain(entry, true)) {
            int part = Math.min(512, length - at);
            MemorySegment.copy(block, 0, to, at, part);
            at += part;
        }
        return in;
    }

    /** Mailboxes of the input or the output, in order. */
    List<MemorySegment> chain(MemorySegment entry, boolean input) {
        long next =
                input
                        ? CmdQueueEntry.INPUT_MAILBOX_POINTER_63_32.get(entry, 0) << 32
                                | CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.get(entry, 0) << 9
                        : CmdQueueEntry.OUTPUT_MAILBOX_POINTER_63_32.get(entry, 0) << 32
                                | CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.get(entry, 0) << 9;
        List<MemorySegment> blocks = new ArrayList<>();
        while (next != 0) {
            MemorySegment block = dma.at(next, 576);
            blocks.add(block);
            next =
                    CmdMailbox.NEXT_POINTER_63_32.get(block, 0) << 32
                            | CmdMailbox.NEXT_POINTER_31_10.get(block, 0) << 10;
        }
        return blocks;
    }

    /** Answers with status OK and zeros. */
    void succeed(int slot, MemorySegment entry, byte[] in) {
        answer(slot, new byte[INLINE], 0);
    }

    /** Gives a slot back. */
    void answer(int slot, byte[] inlineOut, int deliveryStatus) {
        MemorySegment entry = entry(slot);
        MemorySegment.copy(MemorySegment.ofArray(inlineOut), 0, entry, 32, INLINE);
        synchronized (pending) {
            pending.remove(Integer.valueOf(slot));
        }
        entry.set(JAVA_BYTE, 63, (byte) (deliveryStatus << 1));
    }

    /** The opcode of an input. */
    static int opcode(byte[] in) {
        return (int) CommandIn.OPCODE.get(MemorySegment.ofArray(in), 0);
    }

    /** An inline answer of a status and a syndrome. */
    static byte[] status(int status, int syndrome) {
        byte[] out = new byte[INLINE];
        out[0] = (byte) status;
        for (int i = 0; i < 4; i++) {
            out[4 + i] = (byte) (syndrome >>> 24 - 8 * i);
        }
        return out;
    }
}
