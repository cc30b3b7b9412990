package org.ringside.vfio.group;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.linux.Ioctl;
import org.ringside.linux.LinuxException;
import org.ringside.linux.ResourceLimit;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.backend.VfioAbi;

/**
 * System calls of a kernel with VFIO, a group and a device, that fail on demand. Opens below
 * /dev/vfio and ioctls are played; everything else is the real kernel. The device's descriptor is a
 * memfd laid out as the kernel's is (region index times 2^40), so reads, writes and mappings are
 * real.
 */
final class FakeKernel {
    static final long REGION = 1L << 40;
    private static final int REGIONS = 9;

    /** Ioctls made, by name, oldest first. */
    final List<String> log = new ArrayList<>();

    /** Live DMA mappings, IOVA to size. */
    final TreeMap<Long, Long> dma = new TreeMap<>();

    /** Event fds attached, by interrupt index and vector. */
    final Map<Integer, TreeMap<Integer, Integer>> events = new HashMap<>();

    private final Map<String, Deque<Integer>> faults = new HashMap<>();
    private final SystemCalls host = SystemCalls.host();
    final int device;
    private boolean deviceOpen;

    boolean viable = true;
    int apiVersion;
    int type1 = 1;
    int dmaAvailable = 65535;
    int vectorsAvailable = Integer.MAX_VALUE;
    int deviceFlags = 3;
    int shortUnmap;
    String deviceName = "";
    long bar0Size = 0x10000;
    int bar0Flags = 0xf;
    boolean msixNoResize;
    boolean resetClearsCommand;
    ResourceLimit memlock = new ResourceLimit(ResourceLimit.INFINITE, ResourceLimit.INFINITE);

    FakeKernel() throws LinuxException {
        device = host.memfdCreate("fake-device", 0);
        host.ftruncate(device, REGIONS * REGION);
    }

    /** Makes the next such call fail: an ioctl by its name, or "open PATH". */
    FakeKernel fail(String call, int errno) {
        faults.computeIfAbsent(call, c -> new ArrayDeque<>()).add(errno);
        return this;
    }

    SystemCalls calls() {
        return (SystemCalls)
                Proxy.newProxyInstance(
                        SystemCalls.class.getClassLoader(),
                        new Class<?>[] {SystemCalls.class},
                        (proxy, method, arguments) -> invoke(method, arguments));
    }

    private Object invoke(Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "open" -> open((String) arguments[0]);
            case "ioctl" -> {
                Ioctl request = (Ioctl) arguments[1];
                log.add(request.name());
                Integer errno = poll(request.name());
                if (errno != null) {
                    throw new LinuxException("ioctl", request.name(), errno);
                }
                yield arguments[2] instanceof MemorySegment memory
                        ? ioctl(request, memory.reinterpret(1 << 16))
                        : ioctl(request);
            }
            case "getrlimit" -> memlock;
            case "close" -> {
                if ((int) arguments[0] == device) {
                    deviceOpen = false;
                }
                yield real(method, arguments);
            }
            default -> real(method, arguments);
        };
    }

    private Object real(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(host, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Integer poll(String call) {
        Deque<Integer> errnos = faults.get(call);
        return errnos == null ? null : errnos.poll();
    }

    private int open(String path) throws LinuxException {
        Integer errno = poll("open " + path);
        if (errno != null) {
            throw new LinuxException("open", path, errno);
        }
        return host.memfdCreate(path, 0);
    }

    boolean isDeviceOpen() {
        return deviceOpen;
    }

    private int ioctl(Ioctl request) throws LinuxException {
        return switch (request.name()) {
            case "VFIO_GET_API_VERSION" -> apiVersion;
            case "VFIO_CHECK_EXTENSION" -> type1;
            case "VFIO_SET_IOMMU" -> 0;
            case "VFIO_DEVICE_RESET" -> {
                if (resetClearsCommand) {
                    setConfig16(4, 0);
                }
                yield 0;
            }
            default -> throw new LinuxException("ioctl", request.name(), Errno.ENOTTY);
        };
    }

    private int ioctl(Ioctl request, MemorySegment struct) throws LinuxException {
        return switch (request.name()) {
            case "VFIO_GROUP_GET_STATUS" -> {
                struct.set(JAVA_INT, VfioAbi.FLAGS, viable ? 1 : 0);
                yield 0;
            }
            case "VFIO_GROUP_SET_CONTAINER" -> 0;
            case "VFIO_GROUP_GET_DEVICE_FD" -> {
                deviceName = struct.getString(0);
                deviceOpen = true;
                yield device;
            }
            case "VFIO_IOMMU_GET_INFO" -> iommuInfo(struct);
            case "VFIO_IOMMU_MAP_DMA" -> {
                dma.put(struct.get(JAVA_LONG, 16), struct.get(JAVA_LONG, 24));
                yield 0;
            }
            case "VFIO_IOMMU_UNMAP_DMA" -> {
                Long size = dma.remove(struct.get(JAVA_LONG, 8));
                struct.set(JAVA_LONG, 16, size == null ? 0 : size - shortUnmap);
                yield 0;
            }
            case "VFIO_DEVICE_GET_INFO" -> {
                struct.set(JAVA_INT, VfioAbi.FLAGS, deviceFlags);
                struct.set(JAVA_INT, 8, REGIONS);
                struct.set(JAVA_INT, 12, 5);
                yield 0;
            }
            case "VFIO_DEVICE_GET_REGION_INFO" -> regionInfo(struct);
            case "VFIO_DEVICE_GET_IRQ_INFO" -> irqInfo(struct);
            case "VFIO_DEVICE_SET_IRQS" -> setIrqs(struct);
            default -> throw new LinuxException("ioctl", request.name(), Errno.ENOTTY);
        };
    }

    /** Two ranges and dma_avail behind the structure, when there is room. */
    private int iommuInfo(MemorySegment info) {
        int needed = 24 + 48 + 12;
        int room = info.get(JAVA_INT, 0);
        info.set(JAVA_INT, 0, needed);
        info.set(JAVA_INT, 4, 3);
        info.set(JAVA_LONG, 8, 0x40201000L);
        if (room >= needed) {
            info.set(JAVA_INT, 16, 24);
            info.set(JAVA_SHORT, 24, (short) 1);
            info.set(JAVA_INT, 28, 72);
            info.set(JAVA_INT, 32, 2);
            info.set(JAVA_LONG, 40, 0);
            info.set(JAVA_LONG, 48, 0xfedfffffL);
            info.set(JAVA_LONG, 56, 0xfef00000L);
            info.set(JAVA_LONG, 64, (1L << 39) - 1);
            info.set(JAVA_SHORT, 72, (short) 3);
            info.set(JAVA_INT, 80, dmaAvailable);
        }
        return 0;
    }

    /** BAR0 with a hole in the page at 0x1000, and configuration space; nothing else. */
    private int regionInfo(MemorySegment info) throws LinuxException {
        int index = info.get(JAVA_INT, 8);
        if (index == 8) {
            throw new LinuxException("ioctl", "VFIO_DEVICE_GET_REGION_INFO", Errno.EINVAL);
        }
        info.set(JAVA_LONG, 24, index * REGION);
        info.set(JAVA_LONG, 16, index == 0 ? bar0Size : index == 7 ? 4096 : 0);
        info.set(JAVA_INT, 4, index == 0 ? bar0Flags : 3);
        if (index == 0 && (bar0Flags & 8) != 0) {
            int needed = 32 + 8 + 48;
            int room = info.get(JAVA_INT, 0);
            info.set(JAVA_INT, 0, needed);
            info.set(JAVA_INT, 12, 0);
            if (room >= needed) {
                info.set(JAVA_INT, 12, 32);
                info.set(JAVA_SHORT, 32, (short) 3);
                info.set(JAVA_INT, 36, 40);
                info.set(JAVA_SHORT, 40, (short) 1);
                info.set(JAVA_INT, 44, 0);
                info.set(JAVA_INT, 48, 2);
                info.set(JAVA_LONG, 56, 0);
                info.set(JAVA_LONG, 64, 0x1000);
                info.set(JAVA_LONG, 72, 0x2000);
                info.set(JAVA_LONG, 80, bar0Size - 0x2000);
            }
        }
        return 0;
    }

    private int irqInfo(MemorySegment info) throws LinuxException {
        int index = info.get(JAVA_INT, 8);
        if (index == 3) {
            throw new LinuxException("ioctl", "VFIO_DEVICE_GET_IRQ_INFO", Errno.EINVAL);
        }
        int[] counts = {1, 1, 8, 0, 1};
        int[] flags = {7, 9, msixNoResize ? 9 : 1, 9, 9};
        info.set(JAVA_INT, 12, counts[index]);
        info.set(JAVA_INT, 4, flags[index]);
        return 0;
    }

    private int setIrqs(MemorySegment set) throws LinuxException {
        int flags = set.get(JAVA_INT, 4);
        int start = set.get(JAVA_INT, 12);
        int count = set.get(JAVA_INT, 16);
        TreeMap<Integer, Integer> vectors =
                events.computeIfAbsent(set.get(JAVA_INT, 8), i -> new TreeMap<>());
        if (flags == 0x21 && count == 0) {
            vectors.clear();
        } else if (flags == 0x21) {
            for (int i = start; i < start + count; i++) {
                host.eventfdWrite(vectors.get(i), 1);
            }
        } else if (flags == 0x24) {
            if (start + count > vectorsAvailable) {
                return vectorsAvailable;
            }
            for (int i = 0; i < count; i++) {
                int fd = set.get(JAVA_INT, 20 + 4L * i);
                if (fd < 0) {
                    vectors.remove(start + i);
                } else {
                    vectors.put(start + i, fd);
                }
            }
        }
        return 0;
    }

    void setConfig16(int offset, int value) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(2, 2);
            bytes.set(JAVA_SHORT, 0, (short) value);
            host.pwrite(device, bytes, 7 * REGION + offset);
        }
    }

    int config16(int offset) throws LinuxException {
        try (var arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(2, 2);
            int copy = host.open("/proc/self/fd/" + device, Abi.O_RDONLY);
            try {
                host.pread(copy, bytes, 7 * REGION + offset);
            } finally {
                host.close(copy);
            }
            return Short.toUnsignedInt(bytes.get(JAVA_SHORT, 0));
        }
    }
}
