package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ringside.emulator.device.HostMemory;
import org.ringside.mlx5.layout.CmdMailbox;
import org.ringside.mlx5.layout.DeliveryStatus;
import org.ringside.mlx5.layout.Layout;

/**
 * Reads and writes the chains of blocks that hold what does not fit into a command's queue entry.
 *
 * <pre>
 *   entry.input_mailbox --> block 0 --> block 1 --> ...    576 bytes each, 1 KiB aligned:
 *                           512 bytes   512 bytes          data, next, number, token, signatures
 * </pre>
 *
 * <p>Source: Adapters PRM, Command Mailbox; Linux cmd.c for the signatures.
 */
final class Mailboxes {
    static final int DATA = (int) CmdMailbox.MAILBOX_DATA.bitWidth() / Byte.SIZE;
    private static final int BLOCK = CmdMailbox.LAYOUT.byteSize();
    private static final long ALIGNMENT = 1024;

    /** What the control signature covers: everything behind the data but the two signatures. */
    private static final int CONTROL_END = BLOCK - 2;

    private static final int GOOD_XOR = 0xff;

    /** A chain that cannot be delivered. */
    static final class BadChain extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;
        private final String text;

        BadChain(int status, String text) {
            super(text, null, false, false);
            this.status = status;
            this.text = text;
        }

        /** What is wrong with it. */
        String text() {
            return text;
        }

        /** {@link DeliveryStatus}. */
        int status() {
            return status;
        }
    }

    private final HostMemory dma;
    private final MemorySegment block = MemorySegment.ofArray(new byte[BLOCK]);

    Mailboxes(HostMemory dma) {
        this.dma = dma;
    }

    /** How many blocks hold the rest of so many bytes; the first 16 are in the entry. */
    static int blocks(int length) {
        return length <= CommandEntry.INLINE ? 0 : (length - CommandEntry.INLINE + DATA - 1) / DATA;
    }

    /**
     * Gathers input, block by block.
     *
     * @param into gets what follows the inline bytes
     */
    void read(long first, int token, boolean signed, MemorySegment into) throws BadChain {
        long at = first;
        int length = (int) into.byteSize();
        for (int i = 0; i < blocks(length); i++) {
            load(at, i, token, DeliveryStatus.BAD_INPUT_POINTER, DeliveryStatus.INPUT_LENGTH_ERROR);
            if (signed) {
                checkSignatures(at, i);
            }
            int offset = CommandEntry.INLINE + i * DATA;
            MemorySegment.copy(block, 0, into, offset, Math.min(DATA, length - offset));
            at = next();
        }
    }

    /** Looks whether output of a length has blocks to go to; returns their addresses. */
    long[] outputBlocks(long first, int token, int length) throws BadChain {
        long[] addresses = new long[blocks(length)];
        long at = first;
        for (int i = 0; i < addresses.length; i++) {
            load(
                    at,
                    i,
                    token,
                    DeliveryStatus.BAD_OUTPUT_POINTER,
                    DeliveryStatus.OUTPUT_LENGTH_ERROR);
            addresses[i] = at;
            at = next();
        }
        return addresses;
    }

    /** Scatters output; the links stay as they are. */
    void write(long[] addresses, boolean sign, MemorySegment from) {
        for (int i = 0; i < addresses.length; i++) {
            int offset = CommandEntry.INLINE + i * DATA;
            int bytes = (int) Math.min(DATA, from.byteSize() - offset);
            if (sign) {
                dma.read(addresses[i], block, 0, BLOCK);
                MemorySegment.copy(from, offset, block, 0, bytes);
                sign(block);
                dma.write(addresses[i], block, 0, BLOCK);
            } else {
                dma.write(addresses[i], from, offset, bytes);
            }
        }
    }

    private void load(long at, int number, int token, int badPointer, int tooShort)
            throws BadChain {
        if (at == 0) {
            throw new BadChain(tooShort, "the chain ends before block " + number);
        }
        if (at % ALIGNMENT != 0) {
            throw new BadChain(
                    badPointer,
                    "mailbox block %d at 0x%x is not 1 KiB aligned".formatted(number, at));
        }
        dma.read(at, block, 0, BLOCK);
        long stray = CmdMailbox.LAYOUT.firstReservedBit(block, 0);
        if (stray >= 0) {
            throw new BadChain(
                    DeliveryStatus.RESERVED_FIELD_NOT_CLEAR,
                    "mailbox block %d at 0x%x has reserved bit %s set"
                            .formatted(number, at, Layout.place(stray)));
        }
        long blockToken = CmdMailbox.TOKEN.get(block, 0);
        if (blockToken != token) {
            throw new BadChain(
                    DeliveryStatus.TOKEN_ERROR,
                    "mailbox block %d at 0x%x has token 0x%02x, the entry 0x%02x"
                            .formatted(number, at, blockToken, token));
        }
        long blockNumber = CmdMailbox.BLOCK_NUMBER.get(block, 0);
        if (blockNumber != number) {
            throw new BadChain(
                    DeliveryStatus.BAD_BLOCK_NUMBER,
                    "mailbox block %d at 0x%x says that it is block %d"
                            .formatted(number, at, blockNumber));
        }
    }

    private long next() {
        return CmdMailbox.NEXT_POINTER_63_32.get(block, 0) << 32
                | CmdMailbox.NEXT_POINTER_31_10.get(block, 0)
                        << CmdMailbox.NEXT_POINTER_31_10.lsb();
    }

    private void checkSignatures(long at, int number) throws BadChain {
        // The last byte is the block's signature, which the control signature does not cover.
        if (xor(block, DATA, BLOCK - 1) != GOOD_XOR || xor(block, 0, BLOCK) != GOOD_XOR) {
            throw new BadChain(
                    DeliveryStatus.SIGNATURE_ERROR,
                    "mailbox block %d at 0x%x: XOR of control part 0x%02x, of all 0x%02x, not 0xff"
                            .formatted(
                                    number, at, xor(block, DATA, BLOCK - 1), xor(block, 0, BLOCK)));
        }
    }

    /** Sets both signatures of a block. */
    static void sign(MemorySegment block) {
        CmdMailbox.CTRL_SIGNATURE.set(block, 0, GOOD_XOR ^ xor(block, DATA, CONTROL_END));
        CmdMailbox.SIGNATURE.set(block, 0, GOOD_XOR ^ xor(block, 0, BLOCK - 1));
    }

    /** XOR of bytes. */
    static int xor(MemorySegment segment, int from, int end) {
        int value = 0;
        for (int i = from; i < end; i++) {
            value ^= segment.get(ValueLayout.JAVA_BYTE, i);
        }
        return value & 0xff;
    }
}
