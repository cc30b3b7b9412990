package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringside.mlx5.layout.Field;
import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.InitialSeg;
import org.ringside.vfio.Mmio;

/**
 * The registers at the start of BAR0: firmware version, command queue address and doorbell, health
 * (Adapters PRM, Initialization Segment). They are big endian whatever the CPU is.
 *
 * <p>Threading: any thread.
 */
final class InitSegment {
    /** What a read gives when nobody answers on the bus. */
    static final int ALL_ONES = -1;

    private static final ValueLayout.OfInt BE32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private final Mmio bar;

    /** What the registers of the command queue's address read once it was set. */
    private volatile long queueReadBack;

    private volatile boolean queueSet;

    InitSegment(Mmio bar) {
        this.bar = bar;
    }

    /** A register field, by one 4-byte read. */
    long read(Field field) {
        return field.extract(readDword(field.dword()));
    }

    /** The 4 bytes at an offset, as a number. */
    int readDword(int offset) {
        return Integer.reverseBytes(bar.getInt(offset));
    }

    /** Replaces all 4 bytes. */
    void writeDword(int offset, int value) {
        bar.putInt(offset, Integer.reverseBytes(value));
    }

    /** Whether firmware is still starting. All ones count as such: a device in reset reads so. */
    boolean isInitializing() {
        return read(InitialSeg.INITIALIZING) != 0;
    }

    /** Whether nobody answers: firmware and interface version are all ones. */
    boolean isAllOnes() {
        return readDword(InitialSeg.FW_REV_MAJOR.dword()) == ALL_ONES
                && readDword(InitialSeg.CMD_INTERFACE_REV.dword()) == ALL_ONES;
    }

    /** major.minor.subminor */
    String firmwareVersion() {
        return "%d.%d.%04d"
                .formatted(
                        read(InitialSeg.FW_REV_MAJOR),
                        read(InitialSeg.FW_REV_MINOR),
                        read(InitialSeg.FW_REV_SUBMINOR));
    }

    /**
     * Tells the device where its command queue is: the high half first, the low one makes it count.
     */
    void setCommandQueue(long iova) {
        writeDword(InitialSeg.CMDQ_PHY_ADDR_63_32.dword(), (int) (iova >>> 32));
        writeDword(InitialSeg.CMDQ_PHY_ADDR_31_12.dword(), (int) iova & ~0xfff);
        queueReadBack = queueAddress();
        queueSet = true;
    }

    /**
     * Whether the device does not know the command queue any more that it was told of: its state is
     * lost. A device that does not show the address reads the same before and after, and is never
     * found out by this.
     */
    boolean hasForgottenCommandQueue() {
        return queueSet && queueAddress() != queueReadBack;
    }

    private long queueAddress() {
        long high = readDword(InitialSeg.CMDQ_PHY_ADDR_63_32.dword());
        return high << 32 | readDword(InitialSeg.CMDQ_PHY_ADDR_31_12.dword()) & 0xffff_f000L;
    }

    /** Hands command slots to the device. */
    void ringCommands(int slotMask) {
        writeDword(InitialSeg.COMMAND_DOORBELL_VECTOR.dword(), slotMask);
    }

    /** A copy of the health buffer, taken dword by dword. */
    MemorySegment healthBuffer() {
        int at = InitialSeg.HEALTH_BUFFER.offset();
        byte[] bytes = new byte[HealthBuffer.LAYOUT.byteSize()];
        MemorySegment copy = MemorySegment.ofArray(bytes);
        for (int i = 0; i < bytes.length; i += Integer.BYTES) {
            copy.set(BE32, i, readDword(at + i));
        }
        return copy;
    }
}
