package org.ringside.vfio.group;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.ResourceLimit;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.CapabilityChain;
import org.ringside.vfio.backend.DmaLimits;
import org.ringside.vfio.backend.DmaMapper;
import org.ringside.vfio.backend.DmaRange;
import org.ringside.vfio.backend.VfioAbi;
import org.ringside.vfio.backend.VfioAbi.CapDmaAvail;
import org.ringside.vfio.backend.VfioAbi.CapIovaRange;
import org.ringside.vfio.backend.VfioAbi.DmaMap;
import org.ringside.vfio.backend.VfioAbi.DmaUnmap;
import org.ringside.vfio.backend.VfioAbi.IommuInfo;

/**
 * A container's IOMMU of type 1, version 2: what it can map, and mapping. It pins every page and
 * counts it against the locked-memory limit of the process; that limit is checked before, because
 * the kernel says no more than ENOMEM.
 */
final class Type1Iommu implements DmaMapper {
    private static final String ENTRY_LIMIT =
            "/sys/module/vfio_iommu_type1/parameters/dma_entry_limit";
    private static final String RANGE_ADVICE =
            "Give back mappings that are not needed; if the IOMMU itself is narrow, widen it: in a"
                    + " QEMU machine with -device intel-iommu,aw-bits=48";
    private static final String MAPPINGS_ADVICE =
            "Map fewer and larger pieces, or raise the limit as root and open the device again: echo"
                    + " 1048576 > "
                    + ENTRY_LIMIT;

    private final SystemCalls calls;
    private final int container;
    private final String name;
    private final HostFiles host;
    private long pinned;

    Type1Iommu(SystemCalls calls, int container, String name, HostFiles host) {
        this.calls = calls;
        this.container = container;
        this.name = name;
        this.host = host;
    }

    /**
     * What the kernel says that can be mapped, less the windows in sysfs.
     *
     * @param reserved windows of the group that are not to be used
     */
    DmaLimits limits(List<IovaRange> reserved) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment info =
                    InfoCall.get(
                            calls,
                            arena,
                            container,
                            VfioIoctls.IOMMU_GET_INFO,
                            IommuInfo.SIZE,
                            struct -> {});
            int flags = info.get(JAVA_INT, VfioAbi.FLAGS);
            long pageSizes =
                    (flags & IommuInfo.FLAG_PGSIZES) != 0
                            ? info.get(JAVA_LONG, IommuInfo.IOVA_PGSIZES)
                            : calls.pageSize();
            int first =
                    (flags & IommuInfo.FLAG_CAPS) != 0
                            ? info.get(JAVA_INT, IommuInfo.CAP_OFFSET)
                            : 0;
            return new DmaLimits(
                    DmaLimits.without(ranges(info, first), reserved),
                    pageSizes,
                    available(info, first),
                    RANGE_ADVICE,
                    MAPPINGS_ADVICE);
        }
    }

    private static List<IovaRange> ranges(MemorySegment info, int first) {
        int at = CapabilityChain.find(info, first, CapIovaRange.ID);
        if (at < 0) {
            // A kernel before 5.4: what x86 IOMMUs of that time could do at least.
            return List.of(
                    new IovaRange(0, 0xfedfffffL), new IovaRange(0xfef00000L, (1L << 39) - 1));
        }
        List<IovaRange> ranges = new ArrayList<>();
        long count = Integer.toUnsignedLong(info.get(JAVA_INT, at + CapIovaRange.NR_IOVAS));
        long room = (info.byteSize() - at - CapIovaRange.RANGES) / CapIovaRange.RANGE_SIZE;
        for (long i = 0; i < Math.min(count, room); i++) {
            long range = at + CapIovaRange.RANGES + i * CapIovaRange.RANGE_SIZE;
            ranges.add(
                    new IovaRange(
                            info.get(JAVA_LONG, range + CapIovaRange.RANGE_START),
                            info.get(JAVA_LONG, range + CapIovaRange.RANGE_END)));
        }
        return ranges;
    }

    private static int available(MemorySegment info, int first) {
        int at = CapabilityChain.find(info, first, CapDmaAvail.ID);
        return at < 0
                ? Integer.MAX_VALUE
                : (int)
                        Math.min(
                                Integer.MAX_VALUE,
                                Integer.toUnsignedLong(info.get(JAVA_INT, at + CapDmaAvail.AVAIL)));
    }

    @Override
    public void map(DmaRange range) throws VfioException {
        checkLockedMemory(range);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = arena.allocate(DmaMap.SIZE, 8);
            struct.set(JAVA_INT, VfioAbi.ARGSZ, DmaMap.SIZE);
            struct.set(
                    JAVA_INT,
                    VfioAbi.FLAGS,
                    DmaMap.FLAG_READ | (range.writable() ? DmaMap.FLAG_WRITE : 0));
            struct.set(JAVA_LONG, DmaMap.VADDR, range.address());
            struct.set(JAVA_LONG, DmaMap.IOVA, range.iova());
            struct.set(JAVA_LONG, DmaMap.LENGTH, range.size());
            calls.ioctl(container, VfioIoctls.IOMMU_MAP_DMA, struct);
            pinned += range.size();
        } catch (LinuxException e) {
            throw mapFailure(range, e);
        }
    }

    private void checkLockedMemory(DmaRange range) throws VfioException {
        try {
            ResourceLimit limit = calls.getrlimit(Abi.RLIMIT_MEMLOCK);
            if (limit.isInfinite() || host.mayLockWithoutLimit()) {
                return;
            }
            long locked = Math.max(pinned, host.lockedBytes());
            if (Long.compareUnsigned(locked + range.size(), limit.soft()) > 0) {
                throw new VfioException(
                        Errno.ENOMEM,
                        ("%s: mapping %d bytes for DMA locks them in memory; %d bytes are locked"
                                        + " already and the limit is %d (RLIMIT_MEMLOCK). %s")
                                .formatted(
                                        name, range.size(), locked, limit.soft(), memlockAdvice()));
            }
        } catch (LinuxException e) {
            throw new VfioException(e.errno(), name + ": " + e.getMessage(), e);
        }
    }

    private String memlockAdvice() {
        return ("Raise it: ulimit -l unlimited in the shell that starts java; or as root prlimit"
                        + " --memlock=unlimited:unlimited --pid %d for this process; or"
                        + " LimitMEMLOCK=infinity in a systemd unit")
                .formatted(calls.getpid());
    }

    private VfioException mapFailure(DmaRange range, LinuxException e) {
        String advice =
                switch (e.errno()) {
                    case Errno.ENOMEM ->
                            "The kernel could not pin the pages: the locked-memory limit, or no free"
                                    + " memory. "
                                    + memlockAdvice();
                    case Errno.ENOSPC ->
                            "All entries of the container are used. " + MAPPINGS_ADVICE;
                    case Errno.EFAULT ->
                            "The address is not mapped in this process, or its pages cannot be"
                                    + " written; was the memory freed?";
                    case Errno.EEXIST ->
                            "The IOVA is mapped already: by other code on this container?";
                    case Errno.EINVAL -> "The IOMMU does not take this range. " + RANGE_ADVICE;
                    default -> "dmesg may say more";
                };
        return new VfioException(
                e.errno(), "%s: %s: %s. %s".formatted(name, range, e.getMessage(), advice), e);
    }

    @Override
    public void unmap(DmaRange range) throws VfioException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = arena.allocate(DmaUnmap.SIZE, 8);
            struct.set(JAVA_INT, VfioAbi.ARGSZ, DmaUnmap.SIZE);
            struct.set(JAVA_LONG, DmaUnmap.IOVA, range.iova());
            struct.set(JAVA_LONG, DmaUnmap.LENGTH, range.size());
            calls.ioctl(container, VfioIoctls.IOMMU_UNMAP_DMA, struct);
            long done = struct.get(JAVA_LONG, DmaUnmap.LENGTH);
            if (done != range.size()) {
                throw new VfioException(
                        0,
                        "%s: %s: VFIO_IOMMU_UNMAP_DMA unmapped %d bytes"
                                .formatted(name, range, done));
            }
            pinned -= range.size();
        } catch (LinuxException e) {
            throw new VfioException(
                    e.errno(), "%s: %s: %s".formatted(name, range, e.getMessage()), e);
        }
    }
}
