package org.ringside.vfio.user;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ringside.linux.Errno;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.RegionInfo;
import org.ringside.vfio.user.Payload.DeviceInfo;
import org.ringside.vfio.user.Payload.IrqInfo;
import org.ringside.vfio.user.Payload.Version;

/**
 * What a client asks before it works with a device: version, device, regions, interrupts.
 *
 * <p>What it finds out belongs to the caller, the descriptors of regions too.
 */
final class Handshake {
    private static final int MAJOR = 0;

    /** Newest minor version that we know. */
    private static final int MINOR = 2;

    private static final int MAX_REGIONS = 64;
    private static final int MAX_REGION_INFO = 1 << 16;

    private final Connection connection;
    private final SystemCalls calls;
    private final String name;

    Handshake(Connection connection, SystemCalls calls, String name) {
        this.connection = connection;
        this.calls = calls;
        this.name = name;
    }

    /**
     * A region as the server describes it.
     *
     * @param info what it says
     * @param fd descriptor to map, -1 for none
     */
    record UserRegion(RegionInfo info, int fd) {
        static final int NO_FD = -1;
    }

    /**
     * The device.
     *
     * @param flags of {@link DeviceInfo}
     * @param regions region indices
     * @param interrupts interrupt indices
     */
    record Device(int flags, int regions, int interrupts) {}

    /**
     * One kind of interrupt.
     *
     * @param count vectors
     * @param flags of {@link IrqInfo}
     */
    record Irq(int count, int flags) {}

    Capabilities version() throws VfioException {
        Capabilities ours =
                new Capabilities(
                        SystemCalls.MAX_MESSAGE_FDS,
                        Connection.MAX_DATA,
                        Capabilities.DEFAULTS.maxDmaMaps(),
                        Capabilities.DEFAULTS.pageSizes(),
                        false);
        byte[] json = ours.toJson(1024);
        Exchange exchange = connection.begin();
        try {
            Message request = exchange.request(Command.VERSION, Version.JSON + json.length);
            request.putShort(Version.MAJOR, MAJOR).putShort(Version.MINOR, MINOR);
            MemorySegment.copy(
                    json,
                    0,
                    request.memory(),
                    ValueLayout.JAVA_BYTE,
                    Message.at(Version.JSON),
                    json.length);
            Message reply = connection.call(exchange, Version.JSON);
            int major = reply.getShort(Version.MAJOR);
            int minor = reply.getShort(Version.MINOR);
            if (major != MAJOR || minor > MINOR) {
                throw new VfioException(
                        Errno.EPROTONOSUPPORT,
                        "%s: the server speaks vfio-user %d.%d, this side up to %d.%d"
                                .formatted(name, major, minor, MAJOR, MINOR));
            }
            return Capabilities.parse(
                    reply.memory(),
                    Message.at(Version.JSON),
                    reply.payloadSize() - (long) Version.JSON);
        } catch (ProtocolException e) {
            throw new VfioException(Errno.EPROTO, name + ": " + e.getMessage(), e);
        } finally {
            connection.end(exchange);
        }
    }

    Device device() throws VfioException {
        Exchange exchange = connection.begin();
        try {
            exchange.request(Command.DEVICE_GET_INFO, DeviceInfo.SIZE)
                    .putInt(DeviceInfo.ARGSZ, DeviceInfo.SIZE);
            Message reply = connection.call(exchange, DeviceInfo.SIZE);
            Device device =
                    new Device(
                            reply.getInt(DeviceInfo.FLAGS),
                            reply.getInt(DeviceInfo.NUM_REGIONS),
                            reply.getInt(DeviceInfo.NUM_IRQS));
            if ((device.flags & DeviceInfo.PCI) == 0
                    || device.regions <= Region.CONFIG
                    || device.regions > MAX_REGIONS
                    || device.interrupts < 0) {
                throw new VfioException(
                        Errno.ENODEV,
                        "%s: the server offers no PCI function but %s".formatted(name, device));
            }
            return device;
        } finally {
            connection.end(exchange);
        }
    }

    /** All regions up to VGA; on failure no descriptor is left open. */
    List<UserRegion> regions(int count) throws VfioException {
        List<UserRegion> regions = new ArrayList<>();
        boolean good = false;
        try {
            for (int i = 0; i < Math.min(count, Region.VGA + 1); i++) {
                regions.add(region(i));
            }
            long config = regions.get(Region.CONFIG).info().region().size();
            if (config != 256 && config != 4096) {
                throw new VfioException(
                        Errno.EPROTO,
                        "%s: configuration space of %d bytes, neither 256 nor 4096"
                                .formatted(name, config));
            }
            good = true;
            return regions;
        } finally {
            if (!good) {
                Descriptors.close(calls, regions);
            }
        }
    }

    private UserRegion region(int index) throws VfioException {
        int room = Payload.RegionInfo.SIZE;
        while (true) {
            Exchange exchange = connection.begin();
            try {
                // The request is as long as its fixed part; argsz alone tells the room.
                exchange.request(Command.DEVICE_GET_REGION_INFO, Payload.RegionInfo.SIZE)
                        .putInt(Payload.RegionInfo.ARGSZ, room)
                        .putInt(Payload.RegionInfo.INDEX, index);
                Message reply;
                try {
                    reply = connection.call(exchange, Payload.RegionInfo.SIZE);
                } catch (VfioException e) {
                    if (e.errno() == Errno.EINVAL && index >= Region.ROM) {
                        return absent(index); // as the kernel says of regions that are not there
                    }
                    throw e;
                }
                int needed = reply.getInt(Payload.RegionInfo.ARGSZ);
                if (needed > room && needed <= MAX_REGION_INFO) {
                    room = needed;
                    continue;
                }
                MemorySegment info = reply.memory().asSlice(Message.at(0), reply.payloadSize());
                RegionInfo region = RegionInfo.parse(info, calls.pageSize());
                int[] fds = reply.fds();
                if (fds.length > 1) {
                    throw new VfioException(
                            Errno.EPROTO,
                            "%s: %d descriptors for region %d".formatted(name, fds.length, index));
                }
                return new UserRegion(
                        region, fds.length == 0 ? UserRegion.NO_FD : reply.takeFds()[0]);
            } finally {
                connection.end(exchange);
            }
        }
    }

    private static UserRegion absent(int index) {
        Region region = new Region(index, 0, false, false, List.of(), false);
        return new UserRegion(new RegionInfo(region, 0), UserRegion.NO_FD);
    }

    Irq irq(InterruptType type) throws VfioException {
        Exchange exchange = connection.begin();
        try {
            exchange.request(Command.DEVICE_GET_IRQ_INFO, IrqInfo.SIZE)
                    .putInt(IrqInfo.ARGSZ, IrqInfo.SIZE)
                    .putInt(IrqInfo.INDEX, type.index());
            Message reply = connection.call(exchange, IrqInfo.SIZE);
            int count = reply.getInt(IrqInfo.COUNT);
            return new Irq(Math.max(0, Math.min(count, 2048)), reply.getInt(IrqInfo.FLAGS));
        } finally {
            connection.end(exchange);
        }
    }
}
