package org.ringside.ethernet.e1000e;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A ring of legacy descriptors (82574 datasheet, 7.1.4 receive, 7.2.10.1 transmit).
 *
 * <pre>
 *   0  address of the buffer, 8 bytes
 *   8  length, 2 bytes    10  receive: checksum; transmit: offset 0, command
 *  12  status             13  receive: errors    14  VLAN tag
 * </pre>
 */
final class DescriptorRing {
    /** Bytes of a descriptor. */
    static final int SIZE = 16;

    /** Transmit command: the frame ends here, the NIC appends the CRC, and says when it is done. */
    private static final int EOP_IFCS_RS = 0x0b << 24;

    private static final int LENGTH = 8;
    private static final int STATUS = 12;
    private static final int DONE = 1;
    private static final int END_OF_PACKET = 1 << 1;
    private static final int ERRORS_SHIFT = 8;
    private static final int BYTE = 0xff;
    private static final int MASK_LENGTH = 0xffff;

    /** CRC, symbol, sequence and receive data errors (7.1.4.3). */
    private static final int FRAME_ERRORS = 0x97;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment memory;

    /**
     * @param memory zeroed, a descriptor for each slot
     */
    DescriptorRing(MemorySegment memory) {
        this.memory = memory;
    }

    /** Gives the NIC an empty buffer. It sees that when the tail moves. */
    void receive(int slot, long iova) {
        long at = (long) slot * SIZE;
        LONG.setOpaque(memory, at, iova);
        LONG.setRelease(memory, at + LENGTH, 0L);
    }

    /** Gives the NIC a frame. It sees that when the tail moves. */
    void transmit(int slot, long iova, int length) {
        long at = (long) slot * SIZE;
        LONG.setOpaque(memory, at, iova);
        LONG.setRelease(memory, at + LENGTH, length | (long) EOP_IFCS_RS & 0xffff_ffffL);
    }

    /** Whether the NIC has done with a descriptor; what else it wrote there can be read then. */
    boolean isDone(int slot) {
        return ((int) INT.getAcquire(memory, (long) slot * SIZE + STATUS) & DONE) != 0;
    }

    /** Bytes of the frame that came. */
    int length(int slot) {
        return (int) INT.getOpaque(memory, (long) slot * SIZE + LENGTH) & MASK_LENGTH;
    }

    /** Whether a whole frame came, and rightly. */
    boolean isGood(int slot) {
        int word = (int) INT.getOpaque(memory, (long) slot * SIZE + STATUS);
        return (word & END_OF_PACKET) != 0 && (word >>> ERRORS_SHIFT & BYTE & FRAME_ERRORS) == 0;
    }
}
