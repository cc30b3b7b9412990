package org.ringside.ethernet.virtio;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.ringside.ethernet.DmaFrames;
import org.ringside.ethernet.DmaNic;
import org.ringside.linux.Errno;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FrameReceiver;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * The port of a virtio-net function: one receive queue and one transmit queue, split or packed,
 * polled. Frames are sent from and received in memory that the device reaches: no copy.
 *
 * <p>Threading: as {@link org.ringside.ethernet.EthernetPort} says.
 */
public final class VirtioNet extends DmaNic {
    /** PCI vendor of all virtio functions. */
    public static final int VENDOR = 0x1af4;

    /** PCI device id of a network function of virtio 1.0 or later. */
    public static final int MODERN = 0x1041;

    /** The same of one that speaks the older interface too. */
    public static final int TRANSITIONAL = 0x1000;

    /** struct virtio_net_hdr_v1, before each frame; all zero when nothing is offloaded. */
    private static final int HEADER = 12;

    private static final int RECEIVE = 0;
    private static final int TRANSMIT = 1;
    private static final int MOST_FRAMES = 256;
    private static final int FEWEST_FRAMES = 2;
    private static final int BATCH = 64;

    // struct virtio_net_config
    private static final int CONFIG_MAC = 0;
    private static final int CONFIG_STATUS = 6;
    private static final int CONFIG_MTU = 10;
    private static final int MAC_BYTES = 6;
    private static final int LINK_UP = 1;

    private static final int ETHERNET_HEADER = 14;
    private static final int USUAL_MTU = 1500;
    private static final long LOCAL_MAC = 0x02_00_00_00_00_00L;

    private final Deque<DmaMemory> rings = new ArrayDeque<>();
    private final VirtioPci registers;
    private final long features;
    private final long mac;
    private final int mtu;
    private final Virtqueue receive;
    private final Virtqueue transmit;
    private final Mmio receiveBell;
    private final Mmio transmitBell;
    private final DmaFrames received;
    private final DmaFrames sent;
    private final int[] free;
    private int freeCount;
    private boolean offered;
    private boolean transmitted;

    /** Nothing is left open when this fails, but for the device. */
    private VirtioNet(VfioDevice device, boolean translated) throws VfioException {
        super(device, "virtio-net");
        registers = new VirtioPci(device);
        registers.reset();
        registers.status(VirtioPci.ACKNOWLEDGE);
        registers.status(VirtioPci.ACKNOWLEDGE | VirtioPci.DRIVER);
        DmaFrames in = null;
        DmaFrames out = null;
        boolean good = false;
        try {
            features = negotiate(translated);
            mac = readMac();
            mtu = readMtu();
            receive = queue(RECEIVE, "receive queue");
            transmit = queue(TRANSMIT, "transmit queue");
            in = new DmaFrames(device.dma(), receive.size(), Frame.CAPACITY);
            out = new DmaFrames(device.dma(), transmit.size(), Frame.CAPACITY);
            received = in;
            sent = out;
            free = new int[transmit.size()];
            prepare();
            receiveBell = registers.enable(RECEIVE, receive);
            transmitBell = registers.enable(TRANSMIT, transmit);
            registers.status(
                    VirtioPci.ACKNOWLEDGE
                            | VirtioPci.DRIVER
                            | VirtioPci.FEATURES_OK
                            | VirtioPci.DRIVER_OK);
            for (int i = 0; i < receive.size(); i++) {
                receive.offer(i, HEADER + Frame.CAPACITY);
            }
            receiveBell.putShort(0, (short) RECEIVE);
            lookNow(System.nanoTime());
            good = true;
        } finally {
            if (!good) {
                giveUp();
                free(in);
                free(out);
                freeRings();
            }
        }
    }

    /**
     * Brings a port up.
     *
     * @param device a virtio-net function; belongs to the port from now on, and is closed when this
     *     fails
     * @param translated whether the device reaches memory through an IOMMU, so that one which goes
     *     around it must not be used
     * @throws VfioException with what the device lacks or does wrong
     */
    public static VirtioNet open(VfioDevice device, boolean translated) throws VfioException {
        boolean good = false;
        try {
            if (device.resettable()) {
                device.reset();
            }
            device.config().enableMemoryAndBusMaster();
            VirtioNet port = new VirtioNet(device, translated);
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
        return vendor == VENDOR && (id == MODERN || id == TRANSITIONAL);
    }

    private long negotiate(boolean translated) throws VfioException {
        long theirs = registers.offeredFeatures();
        if ((theirs & Features.VERSION_1) == 0) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: features 0x%x are without VIRTIO_F_VERSION_1 (bit 32); this driver needs virtio 1.0 or later"
                            .formatted(device().name(), theirs));
        }
        if (translated && (theirs & Features.ACCESS_PLATFORM) == 0) {
            throw new VfioException(
                    Errno.ENODEV,
                    ("%s: the device goes around the IOMMU (features 0x%x are without"
                                    + " VIRTIO_F_ACCESS_PLATFORM, bit 33) and would write to memory of others; with"
                                    + " QEMU: iommu_platform=on")
                            .formatted(device().name(), theirs));
        }
        long ours = theirs & Features.KNOWN;
        registers.acceptFeatures(ours);
        int next = VirtioPci.ACKNOWLEDGE | VirtioPci.DRIVER | VirtioPci.FEATURES_OK;
        registers.status(next);
        if ((registers.status() & VirtioPci.FEATURES_OK) == 0) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: the device does not take features 0x%x of the 0x%x that it offers"
                            .formatted(device().name(), ours, theirs));
        }
        return ours;
    }

    private boolean has(long feature) {
        return (features & feature) != 0;
    }

    private long readMac() throws VfioException {
        if (!has(Features.MAC)) {
            return LOCAL_MAC | ThreadLocalRandom.current().nextLong() & 0xff_ffff_ffffL;
        }
        needConfig(CONFIG_MAC + MAC_BYTES, "MAC address");
        long address = registers.configBytes(CONFIG_MAC, MAC_BYTES);
        if (address == 0 || (address >>> 40 & 1) != 0) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: 0x%012x is no MAC address of a port".formatted(device().name(), address));
        }
        return address;
    }

    private int readMtu() throws VfioException {
        if (!has(Features.MTU)) {
            return USUAL_MTU;
        }
        needConfig(CONFIG_MTU + Short.BYTES, "MTU");
        int told = registers.config16(CONFIG_MTU);
        return Math.min(told, Math.min(MAX_MTU, Frame.CAPACITY - ETHERNET_HEADER));
    }

    private void needConfig(int bytes, String what) throws VfioException {
        if (registers.configSize() < bytes) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: its configuration of %d bytes has no room for the %s that its features promise"
                            .formatted(device().name(), registers.configSize(), what));
        }
    }

    private Virtqueue queue(int number, String what) throws VfioException {
        int largest = number < registers.queues() ? registers.largestSize(number) : 0;
        if (largest < FEWEST_FRAMES) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: its %s has room for %d buffers".formatted(device().name(), what, largest));
        }
        int size = Integer.highestOneBit(Math.min(largest, MOST_FRAMES));
        boolean packed = has(Features.RING_PACKED);
        long bytes = packed ? PackedQueue.bytes(size) : SplitQueue.bytes(size);
        DmaMemory memory = device().dma().allocate(bytes, 4096);
        rings.push(memory);
        memory.enduring().fill((byte) 0);
        return packed
                ? new PackedQueue(what, size, memory.enduring(), memory.iova())
                : new SplitQueue(what, size, memory.enduring(), memory.iova());
    }

    private void prepare() {
        for (int i = 0; i < receive.size(); i++) {
            receive.prepare(i, received.iova(i) - HEADER, true);
        }
        for (int i = 0; i < transmit.size(); i++) {
            transmit.prepare(i, sent.iova(i) - HEADER, false);
            free[freeCount++] = i;
        }
    }

    @Override
    public long mac() {
        return mac;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    // ---- sending

    @Override
    public @Nullable Frame acquire() {
        if (freeCount == 0) {
            reclaim();
        }
        return freeCount == 0 ? null : sent.frame(free[--freeCount]);
    }

    /** The device hears of it in the next turn, of all that were sent in this one at once. */
    @Override
    public void transmit(Frame frame) {
        if (hasFailed()) {
            abandon(frame);
            return;
        }
        transmit.offer(sent.index(frame), HEADER + frame.length());
        transmitted = true;
    }

    @Override
    public void abandon(Frame frame) {
        free[freeCount++] = sent.index(frame);
    }

    private int reclaim() {
        int count = 0;
        try {
            for (int i = transmit.take(); i != Virtqueue.NONE; i = transmit.take()) {
                free[freeCount++] = i;
                count++;
            }
        } catch (QueueFault e) {
            fail(String.valueOf(e.getMessage()));
        }
        return count;
    }

    // ---- receiving

    @Override
    public int poll(FrameReceiver receiver, long now) {
        if (hasFailed()) {
            return 0;
        }
        lookNowAndThen(now);
        int count = 0;
        try {
            while (count < BATCH) {
                int buffer = receive.take();
                if (buffer == Virtqueue.NONE) {
                    break;
                }
                hand(receiver, buffer, now);
                count++;
            }
        } catch (QueueFault e) {
            fail(String.valueOf(e.getMessage()));
            return count;
        }
        reclaim();
        ring();
        return count;
    }

    private void hand(FrameReceiver receiver, int buffer, long now) {
        int length = receive.usedLength() - HEADER;
        if (length < 0 || length > Frame.CAPACITY) {
            throw receive.fault(
                    "a frame of %d bytes in a buffer of %d",
                    receive.usedLength(), HEADER + Frame.CAPACITY);
        }
        Frame frame = received.frame(buffer);
        if (length >= ETHERNET_HEADER) {
            frame.length(length);
            receiver.receive(frame, now);
        }
        receive.offer(buffer, HEADER + Frame.CAPACITY);
        offered = true;
    }

    private void ring() {
        if (offered) {
            offered = false;
            if (receive.wantsNotification()) {
                receiveBell.putShort(0, (short) RECEIVE);
            }
        }
        if (transmitted) {
            transmitted = false;
            if (transmit.wantsNotification()) {
                transmitBell.putShort(0, (short) TRANSMIT);
            }
        }
    }

    // ---- state

    @Override
    protected boolean look() {
        int status = registers.status();
        if ((status & VirtioPci.NEEDS_RESET) != 0 || (status & VirtioPci.DRIVER_OK) == 0) {
            fail(
                    "status 0x%x: the device has %s"
                            .formatted(
                                    status,
                                    (status & VirtioPci.NEEDS_RESET) != 0
                                            ? "failed and asks for a reset"
                                            : "been reset under us, or has gone"));
            return false;
        }
        return !has(Features.STATUS) || (registers.config16(CONFIG_STATUS) & LINK_UP) != 0;
    }

    @Override
    protected void stop() throws VfioException {
        registers.status(VirtioPci.FAILED);
        registers.reset();
    }

    private static void free(@Nullable DmaFrames memory) {
        if (memory != null) {
            memory.close();
        }
    }

    private void freeRings() {
        for (DmaMemory memory : rings) {
            memory.close();
        }
        rings.clear();
    }

    @Override
    protected void release() {
        received.close();
        sent.close();
        freeRings();
    }
}
