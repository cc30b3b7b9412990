package org.ringside.vfio.group;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.DeviceState;
import org.ringside.vfio.backend.FileAccess;
import org.ringside.vfio.backend.PciConfigSpace;
import org.ringside.vfio.backend.PooledDmaSpace;
import org.ringside.vfio.backend.RegionInfo;
import org.ringside.vfio.backend.RegionMmio;
import org.ringside.vfio.backend.VectorInterrupts;
import org.ringside.vfio.group.GroupOpener.Descriptors;
import org.ringside.vfio.pci.PciAddress;
import org.ringside.vfio.pci.PciFunction;

/** A PCI function that the kernel's vfio-pci hands to this process. */
public final class VfioGroupDevice implements VfioDevice {
    private static final Logger LOGGER = System.getLogger(VfioGroupDevice.class.getName());

    private final SystemCalls calls;
    private final PciFunction function;
    private final GroupErrors errors;
    private final GroupDeviceInfo info;
    private final Descriptors descriptors;
    private final DeviceState state;
    private final Arena arena;
    private final PciConfigSpace config;
    private final PooledDmaSpace dma;
    private final Map<Integer, Mmio> mmio = new HashMap<>();
    private final EnumMap<InterruptType, VectorInterrupts> interrupts =
            new EnumMap<>(InterruptType.class);
    private final VectorInterrupts.InUse interruptInUse = new VectorInterrupts.InUse();

    /** Opens the function at an address such as {@code 0000:3b:00.2} or {@code 3b:00.2}. */
    public static VfioGroupDevice open(String address) throws VfioException {
        return open(address, null);
    }

    /**
     * Opens a virtual function whose physical one is with vfio-pci too.
     *
     * @param vfToken the secret that the owner of the physical function has set; null for none
     */
    public static VfioGroupDevice open(String address, @Nullable UUID vfToken)
            throws VfioException {
        return open(SystemCalls.host(), HostFiles.ofThisMachine(), address, vfToken);
    }

    static VfioGroupDevice open(
            SystemCalls calls, HostFiles host, String address, @Nullable UUID vfToken)
            throws VfioException {
        try (GroupOpener opener = new GroupOpener(calls, host, PciAddress.parse(address))) {
            opener.openGroup();
            Type1Iommu iommu = opener.iommu();
            var limits = opener.limits(iommu);
            int fd = opener.openDevice(vfToken);
            DeviceState state = new DeviceState(opener.function().address().toString());
            GroupDeviceInfo info;
            RegionInfo configRegion;
            try {
                info = new GroupDeviceInfo(calls, fd);
                configRegion = info.region(Region.CONFIG);
            } catch (LinuxException e) {
                throw opener.errors().info(e);
            }
            if (!info.isPci() || configRegion.region().size() == 0) {
                throw new VfioException(
                        Errno.ENODEV, state.name() + ": VFIO says that it is no PCI function");
            }
            PciConfigSpace config =
                    new PciConfigSpace(
                            new FileAccess(calls, fd, configRegion.fileOffset(), state),
                            configRegion.region().size(),
                            state);
            PooledDmaSpace dma = new PooledDmaSpace(calls, limits, iommu, state);
            LOGGER.log(
                    Level.INFO,
                    "{0}: IOMMU group {1}, DMA at {2}, {3} mappings",
                    state.name(),
                    opener.groupNumber(),
                    limits.usable(),
                    limits.maxMappings());
            return new VfioGroupDevice(calls, opener, info, state, config, dma);
        }
    }

    @SuppressWarnings(
            "MustBeClosedChecker") // the arena lives as long as the device; close() closes it
    private VfioGroupDevice(
            SystemCalls calls,
            GroupOpener opener,
            GroupDeviceInfo info,
            DeviceState state,
            PciConfigSpace config,
            PooledDmaSpace dma) {
        this.calls = calls;
        this.function = opener.function();
        this.errors = opener.errors();
        this.info = info;
        this.state = state;
        this.config = config;
        this.dma = dma;
        this.arena = Arena.ofShared();
        this.descriptors = opener.release();
    }

    @Override
    public String name() {
        return state.name();
    }

    /** What sysfs said of the function when it was opened. */
    public PciFunction function() {
        return function;
    }

    @Override
    public int regionCount() {
        return info.regions();
    }

    private RegionInfo regionInfo(int index) throws VfioException {
        state.checkOpen();
        if (index < 0 || index >= info.regions()) {
            throw new VfioException(
                    Errno.EINVAL,
                    "%s: no region %d: it has 0 to %d"
                            .formatted(name(), index, info.regions() - 1));
        }
        try {
            return info.region(index);
        } catch (LinuxException e) {
            throw errors.info(e);
        }
    }

    @Override
    public Region region(int index) throws VfioException {
        return regionInfo(index).region();
    }

    @Override
    public synchronized Mmio mmio(int index) throws VfioException {
        Mmio known = mmio.get(index);
        if (known != null) {
            return known;
        }
        RegionInfo region = regionInfo(index);
        if (region.region().size() == 0) {
            throw new VfioException(
                    Errno.ENXIO,
                    "%s: the function has no region %d (size 0); lspci -vs %s lists those that it has"
                            .formatted(name(), index, name()));
        }
        Mmio opened =
                RegionMmio.open(
                        calls,
                        arena,
                        region.region(),
                        descriptors.device(),
                        region.fileOffset(),
                        new FileAccess(calls, descriptors.device(), region.fileOffset(), state),
                        state);
        mmio.put(index, opened);
        return opened;
    }

    @Override
    public PciConfig config() {
        return config;
    }

    @Override
    public synchronized Interrupts interrupts(InterruptType type) throws VfioException {
        state.checkOpen();
        VectorInterrupts known = interrupts.get(type);
        if (known != null) {
            return known;
        }
        GroupDeviceInfo.Irq irq;
        try {
            irq = info.irq(type);
        } catch (LinuxException e) {
            throw errors.info(e);
        }
        VectorInterrupts made =
                new VectorInterrupts(
                        calls,
                        state,
                        type,
                        irq.count(),
                        irq.canAddLater(),
                        interruptInUse,
                        (flags, start, count, fds) -> setIrqs(type, flags, start, count, fds));
        interrupts.put(type, made);
        return made;
    }

    private int setIrqs(InterruptType type, int flags, int start, int count, int[] fds)
            throws VfioException {
        try {
            return info.setIrqs(type, flags, start, count, fds);
        } catch (LinuxException e) {
            throw errors.interrupts(
                    "%s, vectors %d to %d".formatted(type, start, start + count - 1), e);
        }
    }

    @Override
    public DmaSpace dma() {
        return dma;
    }

    @Override
    public boolean resettable() {
        return info.resettable();
    }

    @Override
    public synchronized void reset() throws VfioException {
        state.checkOpen();
        int wanted = PciConfig.COMMAND_MEMORY | PciConfig.COMMAND_BUS_MASTER;
        int before = config.read16(PciConfig.COMMAND) & wanted;
        for (VectorInterrupts each : interrupts.values()) {
            each.disable();
        }
        try {
            info.reset();
        } catch (LinuxException e) {
            throw errors.reset(e);
        }
        int after = config.read16(PciConfig.COMMAND);
        if ((after & wanted) != before) {
            config.write16(PciConfig.COMMAND, after & ~wanted | before);
        }
    }

    @Override
    public boolean isLost() {
        return state.isLost();
    }

    @Override
    public synchronized void close() {
        if (state.isClosed()) {
            return;
        }
        if (!state.isLost()) {
            quietly("stop of DMA", config::disableBusMaster);
        }
        for (VectorInterrupts each : interrupts.values()) {
            quietly("release of " + each, each::disable);
        }
        state.close();
        // A vector that another thread took into use meanwhile.
        interrupts.values().forEach(VectorInterrupts::closeEvents);
        dma.close();
        try {
            arena.close();
        } catch (IllegalStateException e) {
            LOGGER.log(
                    Level.WARNING,
                    "{0}: registers stay mapped, a call uses them: {1}",
                    name(),
                    e.getMessage());
        }
        GroupOpener.closeAll(calls, descriptors);
    }

    private interface Step {
        void run() throws VfioException;
    }

    private void quietly(String what, Step step) {
        try {
            step.run();
        } catch (VfioException e) {
            LOGGER.log(Level.WARNING, "{0}: {1} failed: {2}", name(), what, e.getMessage());
        }
    }

    @Override
    public String toString() {
        return "VfioGroupDevice[" + name() + "]";
    }
}
