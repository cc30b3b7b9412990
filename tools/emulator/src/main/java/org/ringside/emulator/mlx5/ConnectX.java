package org.ringside.emulator.mlx5;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.EmulatedFunction;
import org.ringside.emulator.device.FunctionHost;
import org.ringside.emulator.device.MsixSpec;
import org.ringside.emulator.device.PciIdentity;
import org.ringside.emulator.device.ResetCause;
import org.ringside.emulator.mlx5.DeviceOptions.Doorbells;
import org.ringside.emulator.record.Recorder;
import org.ringside.emulator.record.Recording;
import org.ringside.emulator.transport.Wire;

/**
 * An emulated ConnectX-5 function: what the bus sees of it. Registers are big endian, the bus is
 * not, so values are swapped here.
 *
 * <p>The MSI-X table has a BAR of its own: clients may then map BAR0 without a hole in it.
 */
public final class ConnectX implements EmulatedFunction {
    private static final int VENDOR = 0x15b3;
    private static final int REVISION = 0;
    private static final int SUBSYSTEM = 0x0020;
    private static final int MSIX_BAR = 2;
    private static final int MSIX_BAR_SIZE = 8192;
    private static final int PBA = 4096;

    private final DeviceOptions options;
    private final Findings findings;
    private final Faults faults;
    private final Wire wire;
    private final @Nullable UarMemory uarMemory;
    private final @Nullable Recorder recorder;
    private @Nullable FunctionHost host;
    private @Nullable Hca hca;
    private int lid;

    /**
     * @param wire that its packets go to; functions on one wire must be on one agent
     * @throws IOException when there is no memory for mapped doorbells, or the recording cannot be
     *     written
     */
    public ConnectX(DeviceOptions options, Wire wire) throws IOException {
        this.options = options;
        this.wire = wire;
        this.findings = new Findings(options.name());
        this.faults = new Faults(options.name());
        options.faults().forEach(faults::cause);
        this.uarMemory =
                options.doorbells() == Doorbells.MAPPED ? new UarMemory(options.name()) : null;
        boolean good = false;
        try {
            Path file = options.recording();
            recorder = file == null ? null : new Recorder(Recording.open(file), options.name());
            good = true;
        } finally {
            if (!good && uarMemory != null) {
                uarMemory.close();
            }
        }
    }

    /** What it was made as. */
    public DeviceOptions options() {
        return options;
    }

    /** What drivers did wrong, since it was made. */
    public Findings findings() {
        return findings;
    }

    /** Troubles to cause. */
    public Faults faults() {
        return faults;
    }

    /** Who drives it now, as the driver told; empty when it did not. */
    public String driverVersion() {
        return hca == null ? "" : hca.driverVersion();
    }

    @Override
    public String roleName() {
        return "connectx-" + options.name();
    }

    @Override
    public PciIdentity identity() {
        DeviceOptions.Profile profile = options.profile();
        return new PciIdentity(
                VENDOR, profile.deviceId(), REVISION, profile.classCode(), VENDOR, SUBSYSTEM);
    }

    @Override
    public List<BarSpec> bars() {
        return List.of(
                new BarSpec(0, UarSpace.BAR_SIZE, true, true, UarMemory.shared(uarMemory)),
                new BarSpec(MSIX_BAR, MSIX_BAR_SIZE, true, true, null));
    }

    @Override
    public MsixSpec msix() {
        return new MsixSpec(options.vectors(), MSIX_BAR, 0, MSIX_BAR, PBA);
    }

    @Override
    public void attach(FunctionHost bus) {
        host = bus;
        lid = wire.assignLid();
        hca = new Hca(options, bus, findings, faults, wire, lid, uarMemory, recorder);
    }

    private Hca hca() {
        if (hca == null) {
            throw new IllegalStateException(roleName() + " is not attached");
        }
        return hca;
    }

    @Override
    public long read(int bar, long offset, int width) {
        if (faults.isRemoved()) {
            return width == Long.BYTES ? -1 : (1L << width * Byte.SIZE) - 1;
        }
        resetIfAsked();
        if (bar != 0 || offset >= InitSegment.SIZE) {
            return 0; // UAR pages are write-only.
        }
        int at = (int) offset & ~3;
        long low = Integer.toUnsignedLong(Integer.reverseBytes(readRegister(at)));
        if (width == Long.BYTES) {
            long high = Integer.toUnsignedLong(Integer.reverseBytes(readRegister(at + 4)));
            return high << Integer.SIZE | low;
        }
        long shifted = low >>> (offset & 3) * Byte.SIZE;
        return width == Integer.BYTES ? shifted : shifted & (1L << width * Byte.SIZE) - 1;
    }

    private int readRegister(int offset) {
        int value = hca().init().read(offset);
        if (recorder != null) {
            recorder.register(false, offset, value);
        }
        return value;
    }

    private void writeRegister(int offset, int value) {
        if (recorder != null) {
            recorder.register(true, offset, value);
        }
        hca().init().write(offset, value);
    }

    @Override
    public void write(int bar, long offset, int width, long value) {
        if (faults.isRemoved()) {
            return;
        }
        resetIfAsked();
        // A device sees the stores of a CPU in order: those in shared pages came before this one.
        hca().uars().poll();
        if (bar != 0) {
            findings.report(
                    Finding.Kind.REGISTER,
                    "store of %d bytes to 0x%x of BAR%d".formatted(width, offset, bar));
        } else if (offset >= InitSegment.SIZE) {
            hca().uars().write(offset, width, value);
        } else if (width == Integer.BYTES) {
            writeRegister((int) offset, Integer.reverseBytes((int) value));
        } else if (width == Long.BYTES) {
            writeRegister((int) offset, Integer.reverseBytes((int) value));
            writeRegister((int) offset + 4, Integer.reverseBytes((int) (value >>> Integer.SIZE)));
        } else {
            findings.report(
                    Finding.Kind.REGISTER,
                    "store of %d bytes to 0x%x; registers have 4".formatted(width, offset));
        }
    }

    @Override
    public int poll() {
        if (hca == null || faults.isRemoved()) {
            return 0; // Off the bus there is no DMA either.
        }
        resetIfAsked();
        return hca().poll();
    }

    /** Before anything else reaches the function. */
    private void resetIfAsked() {
        if (faults.takeReset()) {
            reset(ResetCause.FUNCTION_LEVEL);
        }
    }

    @Override
    public long maxParkNanos() {
        Hca now = hca;
        return now == null ? NO_PARK_LIMIT : now.maxParkNanos();
    }

    @Override
    public void reset(ResetCause cause) {
        FunctionHost bus = host;
        if (bus == null) {
            throw new IllegalStateException(roleName() + " is not attached");
        }
        if (recorder != null) {
            recorder.note("reset", cause.name());
        }
        hca().end();
        hca = new Hca(options, bus, findings, faults, wire, lid, uarMemory, recorder);
    }

    @Override
    public void busMaster(boolean enabled) {
        // DMA fails by itself while it is off, and what it belongs to with it.
    }

    @Override
    public void detach() {
        if (hca != null) {
            hca.end();
            hca = null;
            wire.releaseLid(lid);
        }
        host = null;
        if (recorder != null) {
            recorder.close();
        }
        if (uarMemory != null) {
            uarMemory.close();
        }
    }
}
