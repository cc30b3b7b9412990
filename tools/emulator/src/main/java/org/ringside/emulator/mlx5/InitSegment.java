package org.ringside.emulator.mlx5;

import org.ringside.mlx5.layout.HealthBuffer;
import org.ringside.mlx5.layout.InitialSeg;

/**
 * Registers at the start of BAR0 (PRM, Initialization Segment). Knows values in the manual's
 * (big-endian) order; {@link ConnectX} swaps.
 *
 * <p>The command queue's address is written in two halves; the low one latches both.
 */
final class InitSegment {
    /** Bytes of BAR0 that are not UARs. The structure itself ends at 0x400c. */
    static final int SIZE = 0x10000;

    static final int LOG_QUEUE_SIZE = 5;
    static final int LOG_QUEUE_STRIDE = 6;
    static final int COMMAND_INTERFACE_REVISION = 5;

    /** nic_interface with the bit above it, as Linux uses it. */
    static final int FULL_DRIVER = 0;

    static final int DISABLED = 1;
    static final int SOFTWARE_RESET = 7;
    private static final int NIC_INTERFACE_MASK = 7;

    private static final int FIRMWARE_MAJOR = 16;
    private static final int FIRMWARE_MINOR = 35;
    private static final int FIRMWARE_SUBMINOR = 4030;
    private static final int HARDWARE_ID = 0x20d;
    private static final long NANOS_PER_HEALTH_TICK = 10_000_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int FATAL_SEVERITY = 1;

    private static final int QUEUE_HIGH = InitialSeg.CMDQ_PHY_ADDR_63_32.dword();
    private static final int QUEUE_LOW = InitialSeg.CMDQ_PHY_ADDR_31_12.dword();
    private static final int DOORBELL = InitialSeg.COMMAND_DOORBELL_VECTOR.dword();

    private final Hca hca;
    private final long resetAt = System.nanoTime();
    private int pendingHigh;
    private long queue;
    private int nicInterface;
    private long healthAtStop = -1;

    InitSegment(Hca hca) {
        this.hca = hca;
    }

    /** IO virtual address of slot 0; 0 before the driver wrote it. */
    long queue() {
        return queue;
    }

    /** Whether firmware takes no commands yet. */
    boolean isInitializing() {
        int millis = hca.options().initMillis();
        return millis == DeviceOptions.NEVER
                || hca.faults().isInitializing()
                || System.nanoTime() - resetAt < millis * NANOS_PER_MILLI;
    }

    /** One register. */
    int read(int offset) {
        return switch (offset) {
            case 0x00 -> FIRMWARE_MINOR << 16 | FIRMWARE_MAJOR;
            case 0x04 -> COMMAND_INTERFACE_REVISION << 16 | FIRMWARE_SUBMINOR;
            case 0x10 -> (int) (queue >>> 32);
            case 0x14 -> queueLow();
            case 0x1fc -> InitialSeg.INITIALIZING.insert(0, isInitializing() ? 1 : 0);
            case 0xff8, 0xffc -> 0; // Default timeouts; no DTOR register.
            case 0x1000 -> (int) (DeviceClock.ticks() >>> 32);
            case 0x1004 -> (int) DeviceClock.ticks();
            case 0x1010 -> health();
            case 0x1040 -> (int) (System.currentTimeMillis() / 1000);
            case 0x1044 -> (int) (System.currentTimeMillis() % 1000 * NANOS_PER_MILLI);
            default ->
                    offset >= 0x200 && offset < 0x200 + HealthBuffer.LAYOUT.byteSize()
                            ? healthBuffer(offset - 0x200)
                            : 0;
        };
    }

    private int queueLow() {
        int low = (int) queue & 0xffff_f000;
        low = InitialSeg.LOG_CMDQ_SIZE.insert(low, LOG_QUEUE_SIZE);
        low = InitialSeg.LOG_CMDQ_STRIDE.insert(low, LOG_QUEUE_STRIDE);
        int mode = hca.faults().isNicDisabled() ? DISABLED : nicInterface;
        return low | mode << InitialSeg.NIC_INTERFACE.lsb();
    }

    private int health() {
        long counter = healthAtStop;
        if (!hca.faults().isHealthStopped()) {
            counter = healthTicks();
            healthAtStop = -1;
        } else if (counter < 0) {
            counter = healthTicks();
            healthAtStop = counter;
        }
        int value = (int) counter & (int) InitialSeg.HEALTH_COUNTER.maxValue();
        return InitialSeg.HEALTH_SYNDROME.insert(value, hca.faults().healthSyndrome());
    }

    private long healthTicks() {
        return (System.nanoTime() - hca.faults().restartedAt()) / NANOS_PER_HEALTH_TICK;
    }

    private int healthBuffer(int offset) {
        int syndrome = hca.faults().healthSyndrome();
        if (offset == HealthBuffer.FW_VERSION.dword()) {
            return FIRMWARE_MAJOR << 28 | FIRMWARE_MINOR << 16 | FIRMWARE_SUBMINOR;
        }
        if (offset == HealthBuffer.HW_ID.dword()) {
            return HARDWARE_ID;
        }
        if (syndrome != 0 && offset == HealthBuffer.RFR.dword()) {
            int value = HealthBuffer.RFR.insert(0, 1);
            value = HealthBuffer.VALID.insert(value, 1);
            return HealthBuffer.SEVERITY.insert(value, FATAL_SEVERITY);
        }
        if (offset == HealthBuffer.SYND.dword()) {
            return HealthBuffer.SYND.insert(0, syndrome);
        }
        return 0;
    }

    /** Writes one register. */
    void write(int offset, int value) {
        if (offset == QUEUE_HIGH) {
            pendingHigh = value;
        } else if (offset == QUEUE_LOW) {
            latch(value);
        } else if (offset == DOORBELL) {
            hca.queue().doorbell(value);
        } else if (offset != InitialSeg.CLEAR_INT.dword()) {
            hca.findings()
                    .report(
                            Finding.Kind.REGISTER,
                            "write of 0x%08x to 0x%x of the initialization segment, which is read-only"
                                    .formatted(value, offset));
        }
    }

    private void latch(int low) {
        int mode = low >>> InitialSeg.NIC_INTERFACE.lsb() & NIC_INTERFACE_MASK;
        if (mode != FULL_DRIVER) {
            stop(mode);
            return;
        }
        if ((low & 0xff) != 0 || (low & 0x800) != 0) {
            report(
                    "low half 0x%08x of the command queue address: bits 11 and 7-0 are not zero",
                    low);
        }
        long address = (long) pendingHigh << 32 | (low & 0xffff_f000L);
        if (address == 0) {
            report("command queue at IOVA 0, low half 0x%08x", low);
        }
        if (hca.queue().isBusy()) {
            report("command queue moved to 0x%x with commands in it", address);
        }
        nicInterface = FULL_DRIVER;
        hca.faults().interfaceTaken();
        queue = address;
    }

    /** The driver's last word in fast teardown: everything stops at once, pages are free. */
    private void stop(int mode) {
        if (mode != DISABLED && mode != SOFTWARE_RESET) {
            report("nic_interface %d, which is none of 0, 1, 7", mode);
            return;
        }
        nicInterface = mode;
        hca.disable();
    }

    private void report(String format, Object... arguments) {
        hca.findings().report(Finding.Kind.REGISTER, format.formatted(arguments));
    }
}
