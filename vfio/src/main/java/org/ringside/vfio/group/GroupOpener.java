package org.ringside.vfio.group;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Abi;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.DmaLimits;
import org.ringside.vfio.backend.VfioAbi;
import org.ringside.vfio.backend.VfioAbi.GroupStatus;
import org.ringside.vfio.pci.PciAddress;
import org.ringside.vfio.pci.PciFunction;
import org.ringside.vfio.pci.PciFunction.ReservedRegion;
import org.ringside.vfio.pci.SysfsPci;

/**
 * The way from an address to a device descriptor, step by step; what a failed step leaves open is
 * closed.
 */
final class GroupOpener implements AutoCloseable {
    private final SystemCalls calls;
    private final HostFiles host;
    private final PciFunction function;
    private final GroupErrors errors;
    private final int groupNumber;
    private int container = -1;
    private int group = -1;
    private int device = -1;
    private boolean done;

    GroupOpener(SystemCalls calls, HostFiles host, PciAddress address) throws VfioException {
        this.calls = calls;
        this.host = host;
        this.function = host.pci().function(address);
        this.errors = new GroupErrors(host, function);
        if (function.iommuGroup().isEmpty()) {
            throw errors.noIommu();
        }
        if (!function.driver().equals(Optional.of(SysfsPci.VFIO_PCI))) {
            throw errors.wrongDriver();
        }
        this.groupNumber = function.iommuGroup().getAsInt();
    }

    /** Descriptors of an open device; whoever has them closes them, device first. */
    record Descriptors(int container, int group, int device) {}

    PciFunction function() {
        return function;
    }

    GroupErrors errors() {
        return errors;
    }

    int groupNumber() {
        return groupNumber;
    }

    /** Opens the container and puts the group into it. */
    void openGroup() throws VfioException {
        try {
            container = calls.open(host.container().toString(), Abi.O_RDWR);
        } catch (LinuxException e) {
            throw errors.openContainer(e);
        }
        try {
            int version = calls.ioctl(container, VfioIoctls.GET_API_VERSION, 0L);
            if (version != VfioIoctls.API_VERSION) {
                throw errors.apiVersion(version);
            }
            int type1 =
                    calls.ioctl(container, VfioIoctls.CHECK_EXTENSION, VfioIoctls.TYPE1V2_IOMMU);
            if (type1 == 0) {
                throw errors.noType1();
            }
        } catch (LinuxException e) {
            throw errors.container(e);
        }
        try {
            group = calls.open(host.group(groupNumber).toString(), Abi.O_RDWR);
        } catch (LinuxException e) {
            throw errors.openGroup(groupNumber, e);
        }
        checkViable();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(JAVA_INT);
            pointer.set(JAVA_INT, 0, container);
            calls.ioctl(group, VfioIoctls.GROUP_SET_CONTAINER, pointer);
        } catch (LinuxException e) {
            throw errors.setContainer(groupNumber, e);
        }
        try {
            calls.ioctl(container, VfioIoctls.SET_IOMMU, VfioIoctls.TYPE1V2_IOMMU);
        } catch (LinuxException e) {
            throw errors.setIommu(groupNumber, e);
        }
    }

    private void checkViable() throws VfioException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment status = arena.allocate(GroupStatus.SIZE, 8);
            status.set(JAVA_INT, VfioAbi.ARGSZ, GroupStatus.SIZE);
            calls.ioctl(group, VfioIoctls.GROUP_GET_STATUS, status);
            if ((status.get(JAVA_INT, VfioAbi.FLAGS) & GroupStatus.FLAG_VIABLE) == 0) {
                throw errors.notViable(groupNumber);
            }
        } catch (LinuxException e) {
            throw errors.groupStatus(e);
        }
    }

    /** What the container can map. */
    DmaLimits limits(Type1Iommu iommu) throws VfioException {
        List<IovaRange> reserved =
                host.pci().reservedRegions(groupNumber).stream()
                        .filter(region -> !region.type().equals("direct-relaxable"))
                        .map(ReservedRegion::range)
                        .toList();
        try {
            return iommu.limits(reserved);
        } catch (LinuxException e) {
            throw errors.container(e);
        }
    }

    Type1Iommu iommu() {
        return new Type1Iommu(calls, container, function.address().toString(), host);
    }

    /** Opens the device itself. */
    int openDevice(@Nullable UUID vfToken) throws VfioException {
        String name =
                vfToken == null
                        ? function.address().toString()
                        : function.address() + " vf_token=" + vfToken;
        try (Arena arena = Arena.ofConfined()) {
            device = calls.ioctl(group, VfioIoctls.GROUP_GET_DEVICE_FD, arena.allocateFrom(name));
            return device;
        } catch (LinuxException e) {
            throw errors.getDevice(vfToken != null, e);
        }
    }

    /** Hands the descriptors over; from now on {@link #close} does nothing. */
    Descriptors release() {
        done = true;
        return new Descriptors(container, group, device);
    }

    @Override
    public void close() {
        if (!done) {
            done = true;
            closeAll(calls, new Descriptors(container, group, device));
        }
    }

    /** Closes what is open, device first. */
    static void closeAll(SystemCalls calls, Descriptors descriptors) {
        int[] all = {descriptors.device, descriptors.group, descriptors.container};
        for (int fd : all) {
            if (fd >= 0) {
                try {
                    calls.close(fd);
                } catch (LinuxException e) {
                    System.getLogger(GroupOpener.class.getName())
                            .log(System.Logger.Level.WARNING, e.getMessage());
                }
            }
        }
    }
}
