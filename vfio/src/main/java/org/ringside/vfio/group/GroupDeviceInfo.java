package org.ringside.vfio.group;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Region;
import org.ringside.vfio.backend.RegionInfo;
import org.ringside.vfio.backend.VfioAbi;
import org.ringside.vfio.backend.VfioAbi.DeviceInfo;
import org.ringside.vfio.backend.VfioAbi.IrqInfo;
import org.ringside.vfio.backend.VfioAbi.IrqSet;
import org.ringside.vfio.backend.VfioAbi.RegionInfoStruct;

/** The questions that a device descriptor answers, and SET_IRQS. */
final class GroupDeviceInfo {
    private final SystemCalls calls;
    private final int device;
    private final int flags;
    private final int regions;
    private final int irqs;

    GroupDeviceInfo(SystemCalls calls, int device) throws LinuxException {
        this.calls = calls;
        this.device = device;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info =
                    InfoCall.get(
                            calls,
                            arena,
                            device,
                            VfioIoctls.DEVICE_GET_INFO,
                            DeviceInfo.SIZE,
                            struct -> {});
            flags = info.get(JAVA_INT, VfioAbi.FLAGS);
            regions = info.get(JAVA_INT, DeviceInfo.NUM_REGIONS);
            irqs = info.get(JAVA_INT, DeviceInfo.NUM_IRQS);
        }
    }

    int regions() {
        return regions;
    }

    boolean resettable() {
        return (flags & DeviceInfo.FLAG_RESET) != 0;
    }

    boolean isPci() {
        return (flags & DeviceInfo.FLAG_PCI) != 0;
    }

    RegionInfo region(int index) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info =
                    InfoCall.get(
                            calls,
                            arena,
                            device,
                            VfioIoctls.DEVICE_GET_REGION_INFO,
                            RegionInfoStruct.SIZE,
                            struct -> struct.set(JAVA_INT, RegionInfoStruct.INDEX, index));
            return RegionInfo.parse(info, calls.pageSize());
        } catch (LinuxException e) {
            if (e.errno() == Errno.EINVAL) {
                // What a function without VGA answers for region 8.
                return new RegionInfo(new Region(index, 0, false, false, List.of(), false), 0);
            }
            throw e;
        }
    }

    /**
     * One kind of interrupt.
     *
     * @param count vectors
     * @param canAddLater whether vectors can be added to those in use
     */
    record Irq(int count, boolean canAddLater) {}

    Irq irq(InterruptType type) throws LinuxException {
        if (type.index() >= irqs) {
            return new Irq(0, false);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info = arena.allocate(IrqInfo.SIZE, 8);
            info.set(JAVA_INT, VfioAbi.ARGSZ, IrqInfo.SIZE);
            info.set(JAVA_INT, IrqInfo.INDEX, type.index());
            calls.ioctl(device, VfioIoctls.DEVICE_GET_IRQ_INFO, info);
            boolean noResize = (info.get(JAVA_INT, VfioAbi.FLAGS) & IrqInfo.FLAG_NORESIZE) != 0;
            return new Irq(info.get(JAVA_INT, IrqInfo.COUNT), !noResize);
        } catch (LinuxException e) {
            if (e.errno() == Errno.EINVAL) {
                // What a function that is not PCI Express answers for ERR.
                return new Irq(0, false);
            }
            throw e;
        }
    }

    int setIrqs(InterruptType type, int irqFlags, int start, int count, int[] fds)
            throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            int size = IrqSet.SIZE + Integer.BYTES * fds.length;
            MemorySegment set = arena.allocate(size, 8);
            set.set(JAVA_INT, VfioAbi.ARGSZ, size);
            set.set(JAVA_INT, VfioAbi.FLAGS, irqFlags);
            set.set(JAVA_INT, IrqSet.INDEX, type.index());
            set.set(JAVA_INT, IrqSet.START, start);
            set.set(JAVA_INT, IrqSet.COUNT, count);
            for (int i = 0; i < fds.length; i++) {
                set.set(JAVA_INT, IrqSet.DATA + (long) Integer.BYTES * i, fds[i]);
            }
            return calls.ioctl(device, VfioIoctls.DEVICE_SET_IRQS, set);
        }
    }

    void reset() throws LinuxException {
        calls.ioctl(device, VfioIoctls.DEVICE_RESET, 0L);
    }
}
