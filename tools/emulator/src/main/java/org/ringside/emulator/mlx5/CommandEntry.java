package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.device.HostMemory;
import org.ringside.mlx5.layout.CmdQueueEntry;
import org.ringside.mlx5.layout.DeliveryStatus;
import org.ringside.mlx5.layout.Layout;

/** A queue entry as the driver filled it, and what the device makes of it. */
final class CommandEntry {
    /** Bytes of input and of output that are in the entry itself. */
    static final int INLINE = 16;

    private static final int SIZE = CmdQueueEntry.LAYOUT.byteSize();
    private static final int TYPE_PCIE = 7;
    private static final int LAST_DWORD = CmdQueueEntry.OWNERSHIP.dword();
    private static final int GOOD_XOR = 0xff;

    /** Longer commands than any of the manual's would only eat the host's memory. */
    private static final int MAX_LENGTH = 1 << 24;

    private final long address;
    private final MemorySegment entry = MemorySegment.ofArray(new byte[SIZE]);
    private final HostMemory dma;

    CommandEntry(HostMemory dma, long address) {
        this.dma = dma;
        this.address = address;
        dma.read(address, entry, 0, SIZE);
    }

    /** The entry as it is: until {@link #complete}, as the driver wrote it. */
    MemorySegment asWritten() {
        return entry;
    }

    boolean isHardwareOwned() {
        return CmdQueueEntry.OWNERSHIP.isSet(entry, 0);
    }

    int token() {
        return (int) CmdQueueEntry.TOKEN.get(entry, 0);
    }

    int inputLength() {
        return (int) CmdQueueEntry.INPUT_LENGTH.get(entry, 0);
    }

    int outputLength() {
        return (int) CmdQueueEntry.OUTPUT_LENGTH.get(entry, 0);
    }

    long inputMailbox() {
        return CmdQueueEntry.INPUT_MAILBOX_POINTER_63_32.get(entry, 0) << 32
                | CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.get(entry, 0)
                        << CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.lsb();
    }

    long outputMailbox() {
        return CmdQueueEntry.OUTPUT_MAILBOX_POINTER_63_32.get(entry, 0) << 32
                | CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.get(entry, 0)
                        << CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.lsb();
    }

    /** Copies the first bytes of the input. */
    void copyInline(MemorySegment into) {
        MemorySegment.copy(
                entry,
                CmdQueueEntry.COMMAND_INPUT_INLINE_DATA.offset(),
                into,
                0,
                Math.min(INLINE, into.byteSize()));
    }

    /** What can be seen without mailboxes. */
    void check(boolean signed) throws Mailboxes.BadChain {
        long type = CmdQueueEntry.TYPE.get(entry, 0);
        if (type != TYPE_PCIE) {
            throw new Mailboxes.BadChain(
                    DeliveryStatus.BAD_COMMAND_TYPE, "type is %d, not 7".formatted(type));
        }
        if (signed && Mailboxes.xor(entry, 0, SIZE) != GOOD_XOR) {
            throw new Mailboxes.BadChain(
                    DeliveryStatus.SIGNATURE_ERROR,
                    "XOR of the entry is 0x%02x, not 0xff"
                            .formatted(Mailboxes.xor(entry, 0, SIZE)));
        }
        // The low bits of a mailbox pointer are alignment, not reserved fields, to firmware.
        if ((entryDword(CmdQueueEntry.INPUT_MAILBOX_POINTER_31_9.dword()) & 0x1ff) != 0) {
            throw new Mailboxes.BadChain(
                    DeliveryStatus.BAD_INPUT_POINTER, "input mailbox is not aligned");
        }
        if ((entryDword(CmdQueueEntry.OUTPUT_MAILBOX_POINTER_31_9.dword()) & 0x1ff) != 0) {
            throw new Mailboxes.BadChain(
                    DeliveryStatus.BAD_OUTPUT_POINTER, "output mailbox is not aligned");
        }
        long stray = CmdQueueEntry.LAYOUT.firstReservedBit(entry, 0);
        if (stray >= 0) {
            throw new Mailboxes.BadChain(
                    DeliveryStatus.RESERVED_FIELD_NOT_CLEAR,
                    "reserved bit %s is set".formatted(Layout.place(stray)));
        }
        if (CmdQueueEntry.STATUS.isSet(entry, 0)) {
            throw new Mailboxes.BadChain(
                    DeliveryStatus.RESERVED_FIELD_NOT_CLEAR, "delivery status is not zero");
        }
        checkLength("input", inputLength(), DeliveryStatus.INPUT_LENGTH_ERROR);
        checkLength("output", outputLength(), DeliveryStatus.OUTPUT_LENGTH_ERROR);
    }

    private static void checkLength(String what, int length, int status) throws Mailboxes.BadChain {
        if (length < 8 || length > MAX_LENGTH) {
            throw new Mailboxes.BadChain(status, "%s length is 0x%x bytes".formatted(what, length));
        }
    }

    private int entryDword(int offset) {
        return (int)
                (CmdQueueEntry.INPUT_LENGTH.get(entry, offset - CmdQueueEntry.INPUT_LENGTH.dword())
                        & 0xffff_ffffL);
    }

    /**
     * Hands the entry back: inline output, then, last and with release order, the dword with the
     * status and the ownership bit.
     */
    void complete(int deliveryStatus, MemorySegment output) {
        long at = CmdQueueEntry.COMMAND_OUTPUT_INLINE_DATA.offset();
        long bytes = Math.min(INLINE, output.byteSize());
        MemorySegment.copy(output, 0, entry, at, bytes);
        CmdQueueEntry.STATUS.set(entry, 0, deliveryStatus);
        CmdQueueEntry.OWNERSHIP.set(entry, 0, 0);
        CmdQueueEntry.SIGNATURE.set(entry, 0, 0);
        CmdQueueEntry.SIGNATURE.set(entry, 0, GOOD_XOR ^ Mailboxes.xor(entry, 0, SIZE));
        dma.write(address + at, entry, at, bytes);
        dma.putInt(address + LAST_DWORD, Integer.reverseBytes(entryDword(LAST_DWORD)));
    }

    @Override
    public String toString() {
        return CmdQueueEntry.LAYOUT.decode(entry, 0);
    }
}
