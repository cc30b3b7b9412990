package org.ringside.ethernet.e1000e;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringside.ethernet.DmaFrames;
import org.ringside.ethernet.DmaNic;
import org.ringside.ethernet.EthernetPort;
import org.ringside.linux.Errno;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FrameReceiver;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * The port of an Intel 82574L: one receive ring, one transmit ring, polled. Frames are sent from
 * and received in memory that the NIC reaches: no copy.
 *
 * <p>Threading: as {@link EthernetPort} says.
 */
public final class E1000e extends DmaNic {
    /** PCI vendor: Intel. */
    public static final int VENDOR = 0x8086;

    /** PCI device id of the 82574L, which QEMU's e1000e has too. */
    public static final int I82574L = 0x10d3;

    private static final Logger LOG = System.getLogger(E1000e.class.getName());

    private static final int SLOTS = 256;
    private static final int MASK = SLOTS - 1;
    private static final int BATCH = 64;
    private static final int RING_BYTES = SLOTS * DescriptorRing.SIZE;
    private static final int PAGE = 4096;

    /**
     * Bytes of a frame: none goes across a page. QEMU's model loses a frame whose pages are apart
     * in the memory of the host (net_tx_pkt.c maps it in one piece or not at all); a real NIC would
     * not. RCTL says 2048 for a buffer (BSIZE 00b, 10.2.5.1), but without LPE no frame is longer
     * than 1522.
     */
    private static final int CAPACITY = 1984;

    private static final int USUAL_MTU = 1500;
    private static final int ETHERNET_HEADER = 14;

    private static final long RESET_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(80);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long WORD = 0xffff_ffffL;

    private final Mmio registers;
    private final long mac;
    private final DmaMemory rings;
    private final DmaFrames received;
    private final DmaFrames sent;
    private final DescriptorRing receive;
    private final DescriptorRing transmit;

    /** Frame of each busy slot of the transmit ring. */
    private final int[] inSlot = new int[SLOTS];

    private final int[] free = new int[SLOTS];
    private int freeCount;

    /** Slot of the frame that comes next. */
    private int next;

    private int oldest;
    private int tail;
    private boolean offered;
    private boolean transmitted;
    private long missed;

    /** Nothing is left open when this fails, but for the device. */
    private E1000e(VfioDevice device) throws VfioException {
        super(device, "e1000e");
        registers = device.mmio(0);
        if (registers.size() < Registers.SPACE) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: BAR 0 has 0x%x bytes, the registers of an 82574L need 0x%x"
                            .formatted(device().name(), registers.size(), Registers.SPACE));
        }
        reset();
        mac = readMac();
        DmaMemory memory = null;
        DmaFrames in = null;
        DmaFrames out = null;
        boolean good = false;
        try {
            memory = device.dma().allocate(2L * RING_BYTES, PAGE);
            memory.enduring().fill((byte) 0);
            in = new DmaFrames(device.dma(), SLOTS, CAPACITY);
            out = new DmaFrames(device.dma(), SLOTS - 1, CAPACITY);
            good = true;
        } finally {
            if (!good) {
                close(memory);
                close(in);
                close(out);
            }
        }
        rings = memory;
        received = in;
        sent = out;
        receive = new DescriptorRing(memory.enduring().asSlice(0, RING_BYTES));
        transmit = new DescriptorRing(memory.enduring().asSlice(RING_BYTES, RING_BYTES));
        start();
        lookNow(System.nanoTime());
    }

    /**
     * Brings a port up.
     *
     * @param device an 82574L; belongs to the port from now on, and is closed when this fails
     * @throws VfioException with what the device does wrong
     */
    public static E1000e open(VfioDevice device) throws VfioException {
        boolean good = false;
        try {
            if (device.resettable()) {
                device.reset();
            }
            device.config().enableMemoryAndBusMaster();
            E1000e port = new E1000e(device);
            good = true;
            return port;
        } finally {
            if (!good) {
                device.close();
            }
        }
    }

    /** Whether this is for a PCI function. */
    public static boolean drives(int vendor, int id) {
        return vendor == VENDOR && id == I82574L;
    }

    private static void close(@Nullable AutoCloseable memory) {
        try {
            if (memory != null) {
                memory.close();
            }
        } catch (Exception e) {
            LOG.log(Level.WARNING, "giving memory back", e);
        }
    }

    // ---- bring-up (4.6)

    /** Stops everything; the NIC takes its address from its EEPROM anew. */
    private void reset() throws VfioException {
        registers.putInt(Registers.IMC, -1);
        registers.putInt(Registers.RCTL, 0);
        registers.putInt(Registers.TCTL, 0);
        set(Registers.CTRL, Registers.CTRL_MASTER_DISABLE, 0);
        // It may not come to rest; the reset, and the bus master bit after it, end DMA all the
        // same.
        awaitBit(Registers.STATUS, Registers.STATUS_MASTER_ENABLED, false, QUIET_NANOS);
        set(Registers.CTRL, Registers.CTRL_RESET, 0);
        if (!awaitBit(Registers.CTRL, Registers.CTRL_RESET, false, RESET_NANOS)) {
            throw late(
                    "its control register is 0x%x after a reset: bit 26 does not clear",
                    Registers.CTRL);
        }
        if (!awaitBit(Registers.EECD, Registers.EECD_AUTO_READ_DONE, true, RESET_NANOS)) {
            throw late(
                    "its EECD register is 0x%x after a reset: it does not read its EEPROM",
                    Registers.EECD);
        }
        registers.putInt(Registers.IMC, -1);
    }

    private VfioException late(String what, int register) {
        return new VfioException(
                Errno.ETIMEDOUT,
                "%s: %s".formatted(device().name(), what.formatted(registers.getInt(register))));
    }

    /** Waits until a bit is as it should be; tells whether it is. */
    private boolean awaitBit(int register, int bit, boolean set, long nanos) {
        long start = System.nanoTime();
        do {
            LockSupport.parkNanos(POLL_NANOS);
            if ((registers.getInt(register) & bit) != 0 == set) {
                return true;
            }
        } while (!device().isLost() && System.nanoTime() - start < nanos);
        return false;
    }

    /** Sets bits of a register and clears others. */
    private void set(int register, int set, int clear) {
        registers.putInt(register, registers.getInt(register) & ~clear | set);
    }

    private long readMac() throws VfioException {
        int high = registers.getInt(Registers.RAH);
        long bytes = (high & 0xffffL) << 32 | registers.getInt(Registers.RAL) & WORD;
        long address = Long.reverseBytes(bytes) >>> 16;
        boolean multicast = (address >>> 40 & 1) != 0;
        if ((high & Registers.RAH_VALID) == 0 || address == 0 || multicast) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: its EEPROM gives it no MAC address (RAH 0x%08x, RAL 0x%08x)"
                            .formatted(device().name(), high, registers.getInt(Registers.RAL)));
        }
        return address;
    }

    private void start() {
        set(
                Registers.CTRL,
                Registers.CTRL_SET_LINK_UP,
                Registers.CTRL_FORCED | Registers.CTRL_CLEARED);
        set(Registers.CTRL_EXT, Registers.CTRL_EXT_SET, Registers.CTRL_EXT_CLEARED);
        set(Registers.TARC0, Registers.TARC0_SET, 0);
        set(Registers.TXDCTL, Registers.TXDCTL_USUAL, 0);
        set(Registers.GCR, Registers.GCR_SET, 0);
        set(Registers.GCR2, Registers.GCR2_SET, 0);
        for (int i = 0; i < Registers.MTA_WORDS; i++) {
            registers.putInt(Registers.MTA + (long) i * Integer.BYTES, 0);
        }
        registers.putInt(Registers.RFCTL, 0);
        ring(Registers.RDBAL, Registers.RDBAH, Registers.RDLEN, Registers.RDH, rings.iova());
        registers.putInt(Registers.RDT, 0);
        ring(
                Registers.TDBAL,
                Registers.TDBAH,
                Registers.TDLEN,
                Registers.TDH,
                rings.iova() + RING_BYTES);
        registers.putInt(Registers.TDT, 0);
        for (int i = 0; i < SLOTS; i++) {
            receive.receive(i, received.iova(i));
        }
        for (int i = 0; i < SLOTS - 1; i++) {
            free[freeCount++] = i;
        }
        registers.putInt(Registers.TIPG, Registers.TIPG_USUAL);
        registers.putInt(
                Registers.TCTL,
                Registers.TCTL_ENABLE
                        | Registers.TCTL_PAD_SHORT
                        | Registers.TCTL_COLLISION_THRESHOLD
                        | Registers.TCTL_COLLISION_DISTANCE);
        // Neighbours are asked by multicast (RFC 4861), which the port tells apart itself.
        registers.putInt(
                Registers.RCTL,
                Registers.RCTL_ENABLE
                        | Registers.RCTL_MULTICAST_PROMISCUOUS
                        | Registers.RCTL_BROADCAST
                        | Registers.RCTL_STRIP_CRC);
        registers.putInt(Registers.RDT, MASK); // All but one: a full ring would look empty.
    }

    private void ring(int low, int high, int length, int head, long iova) {
        registers.putInt(low, (int) iova);
        registers.putInt(high, (int) (iova >>> Integer.SIZE));
        registers.putInt(length, RING_BYTES);
        registers.putInt(head, 0);
    }

    @Override
    public long mac() {
        return mac;
    }

    @Override
    public int mtu() {
        return USUAL_MTU;
    }

    /** Frames that the NIC had no room for, since it was opened; at most 100 ms old. */
    public long missed() {
        return missed;
    }

    // ---- sending

    @Override
    public @Nullable Frame acquire() {
        if (freeCount == 0) {
            reclaim();
        }
        return freeCount == 0 ? null : sent.frame(free[--freeCount]);
    }

    /** The NIC hears of it in the next turn, of all that were sent in this one at once. */
    @Override
    public void transmit(Frame frame) {
        if (hasFailed() || frame.length() > USUAL_MTU + ETHERNET_HEADER + Integer.BYTES) {
            abandon(frame);
            return;
        }
        int index = sent.index(frame);
        inSlot[tail] = index;
        transmit.transmit(tail, sent.iova(index), frame.length());
        tail = tail + 1 & MASK;
        transmitted = true;
    }

    @Override
    public void abandon(Frame frame) {
        free[freeCount++] = sent.index(frame);
    }

    private void reclaim() {
        while (oldest != tail && transmit.isDone(oldest)) {
            free[freeCount++] = inSlot[oldest];
            oldest = oldest + 1 & MASK;
        }
    }

    // ---- receiving

    @Override
    public int poll(FrameReceiver receiver, long now) {
        if (hasFailed()) {
            return 0;
        }
        lookNowAndThen(now);
        int count = 0;
        while (count < BATCH && receive.isDone(next)) {
            int length = receive.length(next);
            if (receive.isGood(next) && length >= ETHERNET_HEADER && length <= CAPACITY) {
                Frame frame = received.frame(next);
                frame.length(length);
                receiver.receive(frame, now);
            }
            receive.receive(next, received.iova(next));
            next = next + 1 & MASK;
            offered = true;
            count++;
        }
        reclaim();
        bell();
        return count;
    }

    private void bell() {
        if (offered) {
            offered = false;
            registers.putInt(Registers.RDT, next - 1 & MASK);
        }
        if (transmitted) {
            transmitted = false;
            registers.putInt(Registers.TDT, tail);
        }
    }

    // ---- state

    @Override
    protected boolean look() {
        int status = registers.getInt(Registers.STATUS);
        if (status == Registers.GONE) {
            fail("its registers read all ones: it has gone, or was reset under us");
            return false;
        }
        if ((registers.getInt(Registers.RCTL) & Registers.RCTL_ENABLE) == 0) {
            fail("it does not receive any more: it was reset under us");
            return false;
        }
        missed += registers.getInt(Registers.MPC) & WORD;
        return (status & Registers.STATUS_LINK_UP) != 0;
    }

    @Override
    protected void stop() throws VfioException {
        reset();
    }

    @Override
    protected void release() {
        received.close();
        sent.close();
        rings.close();
    }
}
