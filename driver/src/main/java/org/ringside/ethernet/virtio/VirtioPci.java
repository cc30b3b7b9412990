package org.ringside.ethernet.virtio;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciCapability;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * Registers of a virtio function on PCI (4.1.4): which BAR has which structure is told by vendor
 * capabilities in configuration space.
 *
 * <p>Threading: one thread.
 */
final class VirtioPci {
    static final int ACKNOWLEDGE = 1;
    static final int DRIVER = 2;
    static final int DRIVER_OK = 4;
    static final int FEATURES_OK = 8;
    static final int NEEDS_RESET = 64;
    static final int FAILED = 128;

    // Offsets in a capability: cfg_type, bar, offset, length, notify_off_multiplier.
    private static final int TYPE = 3;
    private static final int BAR = 4;
    private static final int OFFSET = 8;
    private static final int LENGTH = 12;
    private static final int MULTIPLIER = 16;

    private static final int COMMON = 1;
    private static final int NOTIFY = 2;
    private static final int DEVICE = 4;

    // struct virtio_pci_common_cfg
    private static final int DEVICE_FEATURE_SELECT = 0x00;
    private static final int DEVICE_FEATURE = 0x04;
    private static final int DRIVER_FEATURE_SELECT = 0x08;
    private static final int DRIVER_FEATURE = 0x0c;
    private static final int NUM_QUEUES = 0x12;
    private static final int STATUS = 0x14;
    private static final int GENERATION = 0x15;
    private static final int QUEUE_SELECT = 0x16;
    private static final int QUEUE_SIZE = 0x18;
    private static final int QUEUE_ENABLE = 0x1c;
    private static final int QUEUE_NOTIFY_OFF = 0x1e;
    private static final int QUEUE_DESC = 0x20;
    private static final int QUEUE_DRIVER = 0x28;
    private static final int QUEUE_DEVICE = 0x30;
    private static final int COMMON_SIZE = 0x38;

    private static final int MASK = 0xffff;
    private static final long WORD = 0xffff_ffffL;
    private static final int TRIES = 100;
    private static final long RESET_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final VfioDevice device;
    private final Mmio common;
    private final Mmio notify;
    private final Mmio config;
    private long multiplier;

    VirtioPci(VfioDevice device) throws VfioException {
        this.device = device;
        common = require(find(COMMON), "common configuration", COMMON_SIZE);
        notify = require(find(NOTIFY), "notification", 2);
        config = require(find(DEVICE), "device configuration", 0);
    }

    /** Registers of the first structure of a kind that has a BAR that is there (4.1.4.1). */
    private @Nullable Mmio find(int type) throws VfioException {
        PciConfig pci = device.config();
        for (PciCapability capability : pci.capabilities()) {
            int at = capability.offset();
            if (capability.extended()
                    || capability.id() != PciConfig.CAP_VENDOR
                    || pci.read8(at + TYPE) != type) {
                continue;
            }
            int bar = pci.read8(at + BAR);
            long offset = pci.read32(at + OFFSET) & WORD;
            long length = pci.read32(at + LENGTH) & WORD;
            if (bar > 5 || offset + length > device.region(bar).size()) {
                continue;
            }
            if (type == NOTIFY) {
                multiplier = pci.read32(at + MULTIPLIER) & WORD;
            }
            return device.mmio(bar).slice(offset, length);
        }
        return null;
    }

    private Mmio require(@Nullable Mmio found, String what, int size) throws VfioException {
        if (found == null) {
            throw new VfioException(
                    Errno.ENODEV,
                    ("%s: no capability tells where its %s is, so it is not of virtio 1.0 or later; with"
                                    + " QEMU: disable-legacy=on")
                            .formatted(device.name(), what));
        }
        if (found.size() < size) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: its %s has %d bytes, not %d"
                            .formatted(device.name(), what, found.size(), size));
        }
        return found;
    }

    // ---- status

    int status() {
        return common.getByte(STATUS) & 0xff;
    }

    void status(int bits) {
        common.putByte(STATUS, (byte) bits);
    }

    /** Stops the device, which forgets everything; it is done when it says so (4.1.4.3.2). */
    void reset() throws VfioException {
        status(0);
        long start = System.nanoTime();
        while (status() != 0) {
            if (device.isLost() || System.nanoTime() - start > RESET_NANOS) {
                throw new VfioException(
                        Errno.ETIMEDOUT,
                        "%s: its status is 0x%x %d s after a reset, not 0"
                                .formatted(
                                        device.name(),
                                        status(),
                                        TimeUnit.NANOSECONDS.toSeconds(RESET_NANOS)));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    // ---- features

    long offeredFeatures() {
        common.putInt(DEVICE_FEATURE_SELECT, 0);
        long low = common.getInt(DEVICE_FEATURE) & WORD;
        common.putInt(DEVICE_FEATURE_SELECT, 1);
        return (long) common.getInt(DEVICE_FEATURE) << Integer.SIZE | low;
    }

    void acceptFeatures(long features) {
        common.putInt(DRIVER_FEATURE_SELECT, 0);
        common.putInt(DRIVER_FEATURE, (int) features);
        common.putInt(DRIVER_FEATURE_SELECT, 1);
        common.putInt(DRIVER_FEATURE, (int) (features >>> Integer.SIZE));
    }

    // ---- queues

    int queues() {
        return common.getShort(NUM_QUEUES) & MASK;
    }

    /** Most buffers of a queue; 0 when there is no such queue. */
    int largestSize(int queue) {
        common.putShort(QUEUE_SELECT, (short) queue);
        return common.getShort(QUEUE_SIZE) & MASK;
    }

    /** Tells the device where a queue is, and starts it. Returns where its notifications go. */
    Mmio enable(int queue, Virtqueue rings) throws VfioException {
        common.putShort(QUEUE_SELECT, (short) queue);
        common.putShort(QUEUE_SIZE, (short) rings.size());
        address(QUEUE_DESC, rings.descriptors());
        address(QUEUE_DRIVER, rings.driverArea());
        address(QUEUE_DEVICE, rings.deviceArea());
        long at = (common.getShort(QUEUE_NOTIFY_OFF) & MASK) * multiplier;
        if (at + Short.BYTES > notify.size()) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: notifications of queue %d are at 0x%x, behind the 0x%x bytes of them"
                            .formatted(device.name(), queue, at, notify.size()));
        }
        common.putShort(QUEUE_ENABLE, (short) 1);
        return notify.slice(at, Short.BYTES);
    }

    /** Two halves: a device need not take 64 bits at once (4.1.3.1). */
    private void address(int offset, long value) {
        common.putInt(offset, (int) value);
        common.putInt(offset + Integer.BYTES, (int) (value >>> Integer.SIZE));
    }

    // ---- device configuration

    int configSize() {
        return (int) Math.min(config.size(), Integer.MAX_VALUE);
    }

    int config8(int offset) {
        return config.getByte(offset) & 0xff;
    }

    int config16(int offset) {
        return config.getShort(offset) & MASK;
    }

    /** Reads a field of several bytes as it was at one moment (2.5.1). */
    long configBytes(int offset, int bytes) throws VfioException {
        for (int i = 0; i < TRIES; i++) {
            int before = common.getByte(GENERATION);
            long value = 0;
            for (int b = 0; b < bytes; b++) {
                value = value << Byte.SIZE | config8(offset + b);
            }
            if (common.getByte(GENERATION) == before) {
                return value;
            }
        }
        throw new VfioException(
                Errno.EIO, "%s: its configuration changes at each look".formatted(device.name()));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "virtio registers of %s", device.name());
    }
}
