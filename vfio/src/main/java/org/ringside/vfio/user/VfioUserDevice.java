package org.ringside.vfio.user;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.linux.UnixSockets;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.DeviceState;
import org.ringside.vfio.backend.DmaLimits;
import org.ringside.vfio.backend.PciConfigSpace;
import org.ringside.vfio.backend.PooledDmaSpace;
import org.ringside.vfio.backend.RegionMmio;
import org.ringside.vfio.backend.VectorInterrupts;
import org.ringside.vfio.user.Handshake.Irq;
import org.ringside.vfio.user.Handshake.UserRegion;
import org.ringside.vfio.user.Payload.DeviceInfo;
import org.ringside.vfio.user.Payload.IrqInfo;

/**
 * A device behind a vfio-user socket.
 *
 * <p>When the server closes the socket, or breaks the protocol, the device is lost: calls that wait
 * and all later ones fail with a {@link VfioException} that names command and socket, registers
 * read as all ones.
 *
 * <p>Source: QEMU docs/interop/vfio-user.rst.
 */
public final class VfioUserDevice implements VfioDevice {
    /** How long a reply may take, unless told otherwise. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private static final Logger LOG = System.getLogger(VfioUserDevice.class.getName());

    /**
     * As wide as the widest IOMMU page tables with four levels; a server has no limit of its own.
     */
    private static final long LAST_IOVA = (1L << 48) - 1;

    private final SystemCalls calls;
    private final DeviceState state;
    private final SelfMemory self;
    private final Connection connection;
    private final Arena arena;
    private final List<UserRegion> regions;
    private final int regionCount;
    private final boolean resettable;
    private final boolean posted;
    private final PciConfigSpace config;
    private final PooledDmaSpace dma;
    private final Map<Integer, Mmio> mmio = new HashMap<>();
    private final EnumMap<InterruptType, VectorInterrupts> interrupts =
            new EnumMap<>(InterruptType.class);

    /** Opens the device at a socket, with the default timeout. */
    public static VfioUserDevice open(Path socket) throws VfioException {
        return open(socket, DEFAULT_TIMEOUT);
    }

    /**
     * Opens the device at a socket.
     *
     * @param timeout how long a reply of the server may take
     */
    public static VfioUserDevice open(Path socket, Duration timeout) throws VfioException {
        return open(SystemCalls.host(), socket, timeout);
    }

    static VfioUserDevice open(SystemCalls calls, Path socket, Duration timeout)
            throws VfioException {
        DeviceState state = new DeviceState(socket.toString());
        int fd = connect(calls, socket, timeout);
        SelfMemory self = new SelfMemory(calls);
        DmaResponder responder = new DmaResponder(calls, self);
        Connection connection = new Connection(calls, fd, state, timeout, responder);
        connection.start();
        VfioUserDevice device = null;
        try {
            device = new VfioUserDevice(calls, state, self, connection, responder);
            connection.opened();
            return device;
        } finally {
            if (device == null) {
                state.close();
                connection.close();
                closeSelf(self);
            }
        }
    }

    private static int connect(SystemCalls calls, Path socket, Duration timeout)
            throws VfioException {
        try {
            return UnixSockets.connect(calls, socket, timeout);
        } catch (LinuxException e) {
            boolean noSocket = e.errno() == Errno.ECONNREFUSED && !UnixSockets.isSocket(socket);
            String cure =
                    switch (e.errno()) {
                        case Errno.ENOENT -> ": no such socket; start the server, or mend the path";
                        case Errno.ECONNREFUSED ->
                                noSocket
                                        ? ": that is no socket; give the path that the server"
                                                + " listens on"
                                        : ": nobody listens there any more; start the server";
                        case Errno.EACCES ->
                                ": the socket belongs to another user; run as that one";
                        case Errno.EPROTOTYPE -> ": is it a UNIX stream socket?";
                        default -> "";
                    };
            boolean wrongPath =
                    noSocket || e.errno() == Errno.ENAMETOOLONG || e.errno() == Errno.ENOTDIR;
            throw new VfioException(
                    wrongPath ? Errno.EINVAL : e.errno(),
                    "cannot open the vfio-user device %s: %s%s"
                            .formatted(socket, e.getMessage(), cure),
                    e);
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // The device owns the arena, which its mappings need.
    private VfioUserDevice(
            SystemCalls calls,
            DeviceState state,
            SelfMemory self,
            Connection connection,
            DmaResponder responder)
            throws VfioException {
        this.calls = calls;
        this.state = state;
        this.self = self;
        this.connection = connection;
        Handshake handshake = new Handshake(connection, calls, state.name());
        Capabilities server = handshake.version();
        Handshake.Device device = handshake.device();
        this.regionCount = device.regions();
        this.resettable = (device.flags() & DeviceInfo.RESET) != 0;
        VectorInterrupts.InUse inUse = new VectorInterrupts.InUse();
        for (InterruptType type : InterruptType.values()) {
            Irq irq = type.index() < device.interrupts() ? handshake.irq(type) : new Irq(0, 0);
            interrupts.put(
                    type,
                    new VectorInterrupts(
                            calls,
                            state,
                            type,
                            irq.count(),
                            (irq.flags() & IrqInfo.NORESIZE) == 0,
                            inUse,
                            new MessageIrqs(connection, type, server.maxMsgFds())));
        }
        DmaLimits limits =
                new DmaLimits(
                        List.of(new IovaRange(0, LAST_IOVA)),
                        server.pageSizes(),
                        server.maxDmaMaps(),
                        "a vfio-user server takes any address below 2^48",
                        "the server takes no more mappings (max_dma_maps); map larger pieces");
        this.dma =
                new PooledDmaSpace(
                        calls, limits, new MessageDmaMapper(connection, self, state), state);
        responder.serve(dma);
        // Last of what can fail, as from here on there are descriptors.
        this.regions = handshake.regions(device.regions());
        this.posted = regions.stream().allMatch(each -> each.info().region().mappable().isEmpty());
        this.config =
                new PciConfigSpace(
                        new MessageRegion(connection, Region.CONFIG, false),
                        regions.get(Region.CONFIG).info().region().size(),
                        state);
        this.arena = Arena.ofShared();
    }

    @Override
    public String name() {
        return state.name();
    }

    @Override
    public int regionCount() {
        return regionCount;
    }

    @Override
    public Region region(int index) throws VfioException {
        state.checkOpen();
        return userRegion(index).info().region();
    }

    private UserRegion userRegion(int index) throws VfioException {
        if (index < 0 || index >= regions.size()) {
            throw new VfioException(
                    Errno.EINVAL,
                    "%s: there is no region %d, only 0 to %d"
                            .formatted(name(), index, regions.size() - 1));
        }
        return regions.get(index);
    }

    @Override
    public synchronized Mmio mmio(int index) throws VfioException {
        state.checkOpen();
        Mmio known = mmio.get(index);
        if (known != null) {
            return known;
        }
        UserRegion region = userRegion(index);
        Region described = region.info().region();
        if (described.size() == 0) {
            throw new VfioException(
                    Errno.ENODEV, "%s: the function has no region %d".formatted(name(), index));
        }
        if (region.fd() == UserRegion.NO_FD) {
            described =
                    new Region(
                            index,
                            described.size(),
                            described.readable(),
                            described.writable(),
                            List.of(),
                            described.msixTableMappable());
        }
        Mmio opened =
                RegionMmio.open(
                        calls,
                        arena,
                        described,
                        region.fd(),
                        region.info().fileOffset(),
                        new MessageRegion(connection, index, posted),
                        state);
        mmio.put(index, opened);
        return opened;
    }

    @Override
    public PciConfig config() {
        return config;
    }

    @Override
    public Interrupts interrupts(InterruptType type) {
        state.checkOpen();
        return usedInterrupts(type);
    }

    private VectorInterrupts usedInterrupts(InterruptType type) {
        VectorInterrupts known = interrupts.get(type);
        if (known == null) {
            throw new IllegalArgumentException("no interrupts of kind " + type);
        }
        return known;
    }

    @Override
    public DmaSpace dma() {
        return dma;
    }

    @Override
    public boolean resettable() {
        return resettable;
    }

    @Override
    public synchronized void reset() throws VfioException {
        state.checkOpen();
        if (!resettable) {
            throw new VfioException(
                    Errno.ENOTTY, name() + ": the server cannot reset its function");
        }
        int kept = PciConfig.COMMAND_MEMORY | PciConfig.COMMAND_BUS_MASTER;
        int before = config.read16(PciConfig.COMMAND) & kept;
        for (InterruptType type : InterruptType.values()) {
            usedInterrupts(type).disable();
        }
        Exchange exchange = connection.begin();
        try {
            exchange.request(Command.DEVICE_RESET, 0);
            connection.call(exchange, 0);
        } finally {
            connection.end(exchange);
        }
        config.write16(PciConfig.COMMAND, config.read16(PciConfig.COMMAND) | before);
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
            try {
                config.disableBusMaster();
                for (InterruptType type : InterruptType.values()) {
                    usedInterrupts(type).disable();
                }
            } catch (VfioException e) {
                // A server that hangs would take its time for every mapping too. The end of the
                // connection resets the function anyway.
                LOG.log(Level.DEBUG, name() + ": not quiet before close", e);
                connection.close();
            }
        }
        for (InterruptType type : InterruptType.values()) {
            usedInterrupts(type).closeEvents();
        }
        state.close();
        // Mappings first: the device must not reach memory that goes back to the system.
        dma.close();
        connection.close();
        arena.close();
        Descriptors.close(calls, regions);
        closeSelf(self);
    }

    private static void closeSelf(SelfMemory self) {
        try {
            self.close();
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "close of /proc/self/mem", e);
        }
    }

    @Override
    public String toString() {
        return "VfioUserDevice[" + name() + (isLost() ? ", lost" : "") + "]";
    }
}
