package org.ringside.emulator.server;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.BarSpec.SharedPages;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.EmulatedFunction;
import org.ringside.emulator.device.FunctionHost;
import org.ringside.emulator.device.MsixSpec;
import org.ringside.emulator.device.PciIdentity;
import org.ringside.emulator.device.ResetCause;
import org.ringside.linux.Abi;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.Region;

/**
 * A small function that copies memory and fires interrupts.
 *
 * <pre>
 *   BAR0  0x0000  ID, SCRATCH, SOURCE, TARGET, LENGTH, GO, STATUS, IRQ, DOORBELLS
 *         0x2000  two shared pages, a doorbell in the first (when shared)
 *         0x5000  one shared page
 *         0x8000  MSI-X table     0xc000  pending bits
 * </pre>
 */
final class TestFunction implements EmulatedFunction, AutoCloseable {
    static final long ID = 0x00;
    static final long SCRATCH = 0x08;
    static final long SOURCE = 0x10;
    static final long TARGET = 0x18;
    static final long LENGTH = 0x20;
    static final long GO = 0x28;
    static final long STATUS = 0x30;
    static final long IRQ = 0x38;
    static final long DOORBELLS = 0x40;
    static final long DOORBELL = 0x2000;
    static final int BAR_SIZE = 0x10000;
    static final int TABLE = 0x8000;
    static final int PBA = 0xc000;
    static final int VECTORS = 24;
    static final long MAGIC = 0x52494e47;

    /** STATUS after a copy that worked; after a fault it is 2 and the reason's ordinal. */
    static final long DONE = 1;

    final List<String> events = new ArrayList<>();
    private final SystemCalls calls = SystemCalls.host();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(1 << 20, 8);
    private final @Nullable SharedPages shared;
    private final @Nullable MemorySegment pages;
    private final long[] registers = new long[16];
    private @Nullable FunctionHost host;

    private TestFunction(@Nullable SharedPages shared, @Nullable MemorySegment pages) {
        this.shared = shared;
        this.pages = pages;
    }

    static TestFunction trapped() {
        return new TestFunction(null, null);
    }

    static TestFunction withSharedPages() throws LinuxException {
        return withSharedPages(
                List.of(new Region.Area(0x2000, 0x2000), new Region.Area(0x5000, 0x1000)));
    }

    static TestFunction withSharedPages(List<Region.Area> areas) throws LinuxException {
        SystemCalls calls = SystemCalls.host();
        int fd = calls.memfdCreate("test-bar", 0);
        calls.ftruncate(fd, BAR_SIZE);
        MemorySegment pages =
                calls.mmap(
                        Arena.ofAuto(),
                        BAR_SIZE,
                        Abi.PROT_READ | Abi.PROT_WRITE,
                        Abi.MAP_SHARED,
                        fd,
                        0);
        return new TestFunction(new SharedPages(fd, areas), pages);
    }

    FunctionHost host() {
        FunctionHost attached = host;
        if (attached == null) {
            throw new IllegalStateException("not attached");
        }
        return attached;
    }

    @Override
    public String roleName() {
        return "test function";
    }

    @Override
    public PciIdentity identity() {
        return new PciIdentity(0x1b36, 0x4242, 1, 0x020000, 0x1b36, 0x0001);
    }

    @Override
    public List<BarSpec> bars() {
        return List.of(new BarSpec(0, BAR_SIZE, true, true, shared));
    }

    @Override
    public MsixSpec msix() {
        return new MsixSpec(VECTORS, 0, TABLE, 0, PBA);
    }

    @Override
    public void attach(FunctionHost functionHost) {
        host = functionHost;
        registers[0] = MAGIC;
    }

    @Override
    public int poll() {
        if (pages != null && pages.get(ValueLayout.JAVA_INT, DOORBELL) != 0) {
            pages.set(ValueLayout.JAVA_INT, DOORBELL, 0);
            registers[(int) DOORBELLS / 8]++;
            return 1;
        }
        return 0;
    }

    @Override
    public long maxParkNanos() {
        return pages != null ? SHARED_MEMORY_PARK_NANOS : NO_PARK_LIMIT;
    }

    @Override
    public long read(int bar, long offset, int width) {
        events.add("read " + width + " at " + offset);
        long word = registers[(int) (offset / 8) % registers.length];
        return word >>> (8 * (offset % 8));
    }

    @Override
    public void write(int bar, long offset, int width, long value) {
        events.add("write " + width + " at " + offset + " = " + value);
        if (offset == GO) {
            registers[(int) STATUS / 8] = copy();
        } else if (offset == IRQ) {
            host().raise((int) value);
        } else if (offset != ID) {
            registers[(int) (offset / 8) % registers.length] = value;
        }
    }

    private long copy() {
        long length = registers[(int) LENGTH / 8];
        try {
            host().dma().read(registers[(int) SOURCE / 8], buffer, 0, length);
            host().dma().write(registers[(int) TARGET / 8], buffer, 0, length);
            return DONE;
        } catch (DmaFault e) {
            events.add(e.getMessage());
            return DONE + 1 + e.reason().ordinal();
        }
    }

    /** Writes to the client's memory; returns why that failed, null when it did not. */
    DmaFault.@Nullable Reason failureOfWrite(long iova, long length) {
        try {
            host().dma().write(iova, buffer, 0, length);
            return null;
        } catch (DmaFault e) {
            return e.reason();
        }
    }

    @Override
    public void reset(ResetCause cause) {
        events.add("reset " + cause);
        Arrays.fill(registers, 0);
        registers[0] = MAGIC;
    }

    @Override
    public void busMaster(boolean enabled) {
        events.add("bus master " + enabled);
    }

    @Override
    public void detach() {
        events.add("detach");
        host = null;
    }

    @Override
    public void close() throws LinuxException {
        if (shared != null) {
            calls.close(shared.fd());
        }
        arena.close();
    }
}
