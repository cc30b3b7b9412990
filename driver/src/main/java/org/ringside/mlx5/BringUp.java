package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ringside.linux.SystemCalls;
import org.ringside.mlx5.layout.AtomicCaps;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.CommandStatus;
import org.ringside.mlx5.layout.DisableHcaIn;
import org.ringside.mlx5.layout.DisableHcaOut;
import org.ringside.mlx5.layout.EnableHcaIn;
import org.ringside.mlx5.layout.EnableHcaOut;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.InitHcaIn;
import org.ringside.mlx5.layout.InitHcaOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.mlx5.layout.QueryHcaCapOut;
import org.ringside.mlx5.layout.QueryIssiIn;
import org.ringside.mlx5.layout.QueryIssiOut;
import org.ringside.mlx5.layout.QueryPagesStage;
import org.ringside.mlx5.layout.RoceCap;
import org.ringside.mlx5.layout.SetIssiIn;
import org.ringside.mlx5.layout.SetIssiOut;
import org.ringside.mlx5.layout.TeardownHcaIn;
import org.ringside.mlx5.layout.TeardownHcaOut;
import org.ringside.verbs.DeviceException;
import org.ringside.verbs.Gid;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/**
 * The way from a reset function to one that is ready for verbs, in the order that firmware demands
 * (Adapters PRM, Initialization and Teardown; Linux main.c mlx5_function_enable and
 * mlx5_function_open). {@link #run} reads as the list of steps.
 *
 * <p>Each step that must be undone says so at once. A failure undoes what was done; a close does
 * the same later, so the way down is the way up, read backwards:
 *
 * <pre>
 *   destroy EQs, DEALLOC_UAR, roce off, TEARDOWN_HCA, pages back, DISABLE_HCA, bus master off
 * </pre>
 */
final class BringUp {
    private static final Logger LOG = System.getLogger(BringUp.class.getName());
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /**
     * How long nobody may answer before the function is taken for gone: five times what it has for
     * its first answer after a reset (PCI Express base specification, 6.6.1).
     */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final int ASYNC_ENTRIES = 512;
    private static final int FIRST_UAR_AT_LEAST = 0x4000;
    private static final int ISSI = 1;
    private static final int LOG_MAX_QP = 18;
    private static final int CHECKSUM_ON = 3;
    private static final int PORT_TYPE_INFINIBAND = 0;
    private static final int ATOMIC_HOST_ENDIAN = 1;

    /** Ids of virtual functions (Linux main.c, mlx5_core_pci_table); all others are physical. */
    private static final Set<Integer> VIRTUAL =
            Set.of(0x1012, 0x1014, 0x1016, 0x1018, 0x101a, 0x101c, 0x101e, 0xa2d3);

    private final String name;
    private final VfioDevice vfio;
    private final Mlx5Options options;
    private final UndoStack undo;

    private BringUp(VfioDevice vfio, String name, Mlx5Options options) {
        this.vfio = vfio;
        this.name = name;
        this.options = options;
        this.undo = new UndoStack(name);
    }

    /**
     * Brings a device up. It belongs to the result afterwards, or has been closed if this fails.
     *
     * @param name for messages
     */
    static Mlx5Device bringUp(VfioDevice vfio, String name, Mlx5Options options)
            throws VerbsException {
        BringUp bringUp = new BringUp(vfio, name, options);
        try {
            return bringUp.run();
        } catch (VerbsException | RuntimeException | Error e) {
            VerbsException more = bringUp.undo.undoAll(vfio.isLost());
            if (more != null) {
                e.addSuppressed(more);
            }
            throw e;
        }
    }

    private Mlx5Device run() throws VerbsException {
        undo.push("closing the VFIO device", vfio::close);
        InitSegment registers = new InitSegment(openFunction());
        boolean virtual = isVirtual();

        // PRM "Initialization", steps 1-4: out of pre-initialization, then the command queue.
        waitForFirmware(registers);
        CommandQueue commands =
                new CommandQueue(name, registers, vfio.dma(), options, vfio::isLost);
        undo.push("stopping the command queue", () -> stop(commands));
        commands.start();
        waitForFirmware(registers);
        HealthWatch health = new HealthWatch(registers, vfio::isLost, options);
        commands.watch(health);

        // Steps 5-8: enable, agree on the interface version, boot pages.
        enableHca(commands);
        FirmwarePages pages = new FirmwarePages(name, commands, vfio.dma(), options);
        undo.push("taking firmware's pages back", pages::takeAll);
        chooseIssi(commands);
        pages.satisfy(QueryPagesStage.BOOT);

        // Steps 9-12: capabilities, init pages, INIT_HCA.
        PortRegisters portRegisters = new PortRegisters(commands);
        if (!virtual) {
            portRegisters.setHostEndianness();
        }
        chooseCapabilities(commands);
        pages.satisfy(QueryPagesStage.INIT);
        initHca(commands);
        Capabilities caps = Capabilities.current(commands);
        requireRdma(caps);

        // Events: from here on commands finish by interrupt, and firmware may ask for pages.
        Uars uars = new Uars(commands, bar());
        Uars.Page doorbells = uars.allocate();
        undo.push("DEALLOC_UAR", () -> uars.free(doorbells.index));
        DeviceEvents events = new DeviceEvents(name, commands, pages, health, vfio::isLost);
        undo.push("ending the page server", events::close);
        Interrupts interrupts = enableInterrupts();
        EventQueue async =
                new EventQueue(
                        name,
                        commands,
                        vfio.dma(),
                        doorbells,
                        0,
                        Mlx5Device.entries(caps, ASYNC_ENTRIES),
                        eventMask(caps));
        undo.push("DESTROY_EQ", async::destroy);
        EventThread thread = new EventThread(name, SystemCalls.host(), events, options);
        BusSignal.listen(vfio, name, thread, events, undo);
        undo.push("going back to polling", () -> stopEvents(commands, thread));
        thread.add(async, interrupts.event(0));
        thread.start();
        commands.useEvents(true);

        Port port =
                isInfiniBand(caps)
                        ? infiniBandPort(commands, caps, portRegisters, virtual)
                        : rocePort(commands, caps, portRegisters, virtual);
        waitForLink(port);
        if (!virtual && !isInfiniBand(caps)) {
            LOG.log(
                    Level.DEBUG,
                    "{0}: port 1 uses Ethernet protocols 0x{1}, path MTU {2}",
                    name,
                    Long.toHexString(portRegisters.ethernetProtocols()),
                    port.activeMtu());
        }

        return new Mlx5Device(
                name, vfio, registers, commands, pages, caps, port, uars, doorbells, async, events,
                thread, undo);
    }

    /** Frames large, link up, RoCE on, our address in the GID table. */
    private Port rocePort(
            CommandQueue commands, Capabilities caps, PortRegisters registers, boolean virtual)
            throws VerbsException {
        RocePort port = RocePort.query(name, commands, caps);
        if (!virtual) {
            port.useMtu(registers.raiseMtu());
            registers.portUp();
        }
        port.enableRoce(true);
        undo.push("switching RoCE off", () -> port.enableRoce(false));
        undo.push("emptying the GID table", port::clearGids);
        port.setGid(0, Gid.linkLocal(port.mac()));
        return port;
    }

    /** Link up; LID and GIDs are the subnet manager's. */
    private static Port infiniBandPort(
            CommandQueue commands, Capabilities caps, PortRegisters registers, boolean virtual)
            throws VerbsException {
        if (!virtual) {
            registers.portUp();
        }
        return IbPort.query(
                commands, (int) caps.general(CmdHcaCap.GID_TABLE_SIZE), registers.mtu());
    }

    /** Memory and bus master on, whatever a process that died has left behind cleared. */
    private Mmio openFunction() throws VerbsException {
        try {
            if (options.resetAtOpen() && vfio.resettable()) {
                vfio.reset();
            }
            long size = vfio.region(Region.BAR0).size();
            if (size < FIRST_UAR_AT_LEAST) {
                throw new DeviceException(
                        VerbsException.EIO,
                        "%s: BAR0 has %d bytes, a ConnectX has at least %d; is this the right device?"
                                .formatted(name, size, FIRST_UAR_AT_LEAST));
            }
            vfio.config().enableMemoryAndBusMaster();
            undo.push("switching bus master off", this::busMasterOff);
            return bar();
        } catch (VfioException e) {
            throw Failures.of(name, "opening the function", e);
        }
    }

    private Mmio bar() throws VerbsException {
        try {
            return vfio.mmio(Region.BAR0);
        } catch (VfioException e) {
            throw Failures.of(name, "mapping BAR0", e);
        }
    }

    private void busMasterOff() throws VerbsException {
        try {
            vfio.config().disableBusMaster();
        } catch (VfioException e) {
            throw Failures.of(name, "switching bus master off", e);
        }
    }

    private boolean isVirtual() throws VerbsException {
        try {
            return VIRTUAL.contains(vfio.config().read16(PciConfig.DEVICE_ID));
        } catch (VfioException e) {
            throw Failures.of(name, "reading its device id", e);
        }
    }

    private void waitForFirmware(InitSegment registers) throws VerbsException {
        Duration silence = options.preInit().compareTo(SILENCE) < 0 ? options.preInit() : SILENCE;
        long started = System.nanoTime();
        long answered = started;
        while (registers.isInitializing()) {
            long now = System.nanoTime();
            if (!registers.isAllOnes()) {
                answered = now;
            }
            if (vfio.isLost()) {
                throw new DeviceException(
                        VerbsException.ENODEV,
                        name + ": the device went away while its firmware was starting");
            }
            if (now - answered > silence.toNanos()) {
                throw silent(silence);
            }
            if (now - started > options.preInit().toNanos()) {
                throw stillInitializing();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private VerbsException silent(Duration waited) {
        return new DeviceException(
                VerbsException.ENODEV,
                ("%s: registers read all ones for %d ms: the function does not answer on the"
                                + " bus; look at its link (lspci -vv) and power state, rescan the bus")
                        .formatted(name, waited.toMillis()));
    }

    private VerbsException stillInitializing() {
        return new DeviceException(
                VerbsException.ETIMEDOUT,
                ("%s: firmware is still initializing after %d ms; reset the function, or wait longer"
                                + " with -Dringside.mlx5.preInitMillis")
                        .formatted(name, options.preInit().toMillis()));
    }

    /** The device stops using memory before that memory goes; see the order of the stack. */
    private void stop(CommandQueue commands) throws VerbsException {
        if (!vfio.isLost()) {
            busMasterOff();
        }
        commands.close();
    }

    private void enableHca(CommandQueue commands) throws VerbsException {
        var _ =
                commands.execute(
                        new Command(Opcode.ENABLE_HCA, EnableHcaIn.LAYOUT, EnableHcaOut.LAYOUT));
        undo.push(
                "DISABLE_HCA",
                () ->
                        commands.execute(
                                new Command(
                                        Opcode.DISABLE_HCA,
                                        DisableHcaIn.LAYOUT,
                                        DisableHcaOut.LAYOUT)));
    }

    /** ISSI 1 is what today's objects look like; firmware without ISSI has no QUERY_ISSI. */
    private void chooseIssi(CommandQueue commands) throws VerbsException {
        Command query = new Command(Opcode.QUERY_ISSI, QueryIssiIn.LAYOUT, QueryIssiOut.LAYOUT);
        commands.executeUnchecked(query);
        boolean supported =
                query.status() == CommandStatus.OK
                        && (query.get(QueryIssiOut.SUPPORTED_ISSI_DW0) >>> ISSI & 1) == 1;
        if (!supported) {
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    "%s: firmware %s does not support ISSI 1 (%s); update it"
                            .formatted(
                                    name,
                                    new InitSegment(bar()).firmwareVersion(),
                                    query.decodeOut()));
        }
        var _ =
                commands.execute(
                        new Command(Opcode.SET_ISSI, SetIssiIn.LAYOUT, SetIssiOut.LAYOUT)
                                .set(SetIssiIn.CURRENT_ISSI, ISSI));
    }

    private void chooseCapabilities(CommandQueue commands) throws VerbsException {
        MemorySegment now =
                Capabilities.query(commands, CapabilityGroup.queryCurrent(CapabilityGroup.GENERAL));
        MemorySegment most =
                Capabilities.query(commands, CapabilityGroup.queryMaximum(CapabilityGroup.GENERAL));
        boolean checksum = options.checksum() && CmdHcaCap.CMDIF_CHECKSUM.get(most, 0) != 0;
        CmdHcaCap.CMDIF_CHECKSUM.set(now, 0, checksum ? CHECKSUM_ON : 0);
        CmdHcaCap.LOG_UAR_PAGE_SZ.set(now, 0, 0);
        CmdHcaCap.LOG_MAX_QP.set(now, 0, Math.min(LOG_MAX_QP, CmdHcaCap.LOG_MAX_QP.get(most, 0)));
        if (CmdHcaCap.ROCE_RW_SUPPORTED.isSet(most, 0)) {
            CmdHcaCap.ROCE.set(now, 0, CmdHcaCap.ROCE.get(most, 0));
        }
        Capabilities.set(commands, CapabilityGroup.GENERAL, now);
        commands.useChecksum(checksum);
        if (CmdHcaCap.ROCE.isSet(now, 0)) {
            chooseRoce(commands);
        }
        if (CmdHcaCap.ATOMIC.isSet(now, 0)) {
            chooseAtomic(commands);
        }
    }

    /** We want to choose UDP source ports: that is how flows spread over paths. */
    private static void chooseRoce(CommandQueue commands) throws VerbsException {
        MemorySegment now =
                Capabilities.query(commands, CapabilityGroup.queryCurrent(CapabilityGroup.ROCE));
        MemorySegment most =
                Capabilities.query(commands, CapabilityGroup.queryMaximum(CapabilityGroup.ROCE));
        if (RoceCap.SW_R_ROCE_SRC_UDP_PORT.isSet(most, 0)
                && !RoceCap.SW_R_ROCE_SRC_UDP_PORT.isSet(now, 0)) {
            RoceCap.SW_R_ROCE_SRC_UDP_PORT.set(now, 0, true);
            Capabilities.set(commands, CapabilityGroup.ROCE, now);
        }
    }

    /**
     * Results of atomics come in the host's byte order, as verbs promise. The mode alone is given:
     * it is all that can be set in this group (Linux main.c, handle_hca_cap_atomic).
     */
    private static void chooseAtomic(CommandQueue commands) throws VerbsException {
        MemorySegment now =
                Capabilities.query(commands, CapabilityGroup.queryCurrent(CapabilityGroup.ATOMIC));
        if (AtomicCaps.SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1.isSet(now, 0)) {
            MemorySegment mode = MemorySegment.ofArray(new byte[QueryHcaCapOut.CAPABILITY.count()]);
            AtomicCaps.ATOMIC_REQ_8B_ENDIANNESS_MODE.set(mode, 0, ATOMIC_HOST_ENDIAN);
            Capabilities.set(commands, CapabilityGroup.ATOMIC, mode);
        }
    }

    private void initHca(CommandQueue commands) throws VerbsException {
        Capabilities before = Capabilities.current(commands);
        Command init = new Command(Opcode.INIT_HCA, InitHcaIn.LAYOUT, InitHcaOut.LAYOUT);
        if (before.has(CmdHcaCap.SW_OWNER_ID)) {
            SecureRandom random = new SecureRandom();
            for (int i = 0; i < InitHcaIn.SW_OWNER_ID.count(); i++) {
                init.set(InitHcaIn.SW_OWNER_ID, i, random.nextInt() & 0xffff_ffffL);
            }
        }
        var _ = commands.execute(init);
        undo.push(
                "TEARDOWN_HCA",
                () ->
                        commands.execute(
                                new Command(
                                        Opcode.TEARDOWN_HCA,
                                        TeardownHcaIn.LAYOUT,
                                        TeardownHcaOut.LAYOUT)));
    }

    private static boolean isInfiniBand(Capabilities caps) {
        return caps.general(CmdHcaCap.PORT_TYPE) == PORT_TYPE_INFINIBAND;
    }

    private void requireRdma(Capabilities caps) throws VerbsException {
        if (isInfiniBand(caps) && !caps.has(CmdHcaCap.IB_VIRT)) {
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    name
                            + ": the InfiniBand port has no vport commands (ib_virt 0); update the"
                            + " firmware, or have the port as Ethernet (mlxconfig set LINK_TYPE_P1=2)");
        }
        if (!isInfiniBand(caps) && !caps.has(CmdHcaCap.ROCE)) {
            throw new VerbsException(
                    VerbsException.EOPNOTSUPP,
                    name
                            + ": RoCE is off on the Ethernet port; switch it on in the firmware's"
                            + " configuration (mlxconfig)");
        }
    }

    private Interrupts enableInterrupts() throws VerbsException {
        try {
            Interrupts interrupts = vfio.interrupts(InterruptType.MSIX);
            if (interrupts.count() == 0) {
                throw new VerbsException(
                        VerbsException.EOPNOTSUPP,
                        name + ": the function has no MSI-X vectors; a ConnectX needs one");
            }
            interrupts.enable(1);
            undo.push("disabling interrupts", () -> disable(interrupts));
            return interrupts;
        } catch (VfioException e) {
            throw Failures.of(name, "enabling interrupts", e);
        }
    }

    private void disable(Interrupts interrupts) throws VerbsException {
        try {
            interrupts.disable();
        } catch (VfioException e) {
            throw Failures.of(name, "disabling interrupts", e);
        }
    }

    private static long eventMask(Capabilities caps) {
        long mask =
                1L << EventType.CMD
                        | 1L << EventType.COMM_EST
                        | 1L << EventType.SQ_DRAINED
                        | 1L << EventType.CQ_ERROR
                        | 1L << EventType.WQ_CATAS_ERROR
                        | 1L << EventType.PORT_CHANGE
                        | 1L << EventType.WQ_INVAL_REQ_ERROR
                        | 1L << EventType.WQ_ACCESS_ERROR;
        return caps.has(CmdHcaCap.PAGE_REQUEST_DISABLE)
                ? mask
                : mask | 1L << EventType.PAGE_REQUEST;
    }

    private static void stopEvents(CommandQueue commands, EventThread thread) {
        commands.useEvents(false);
        thread.close();
    }

    /** A port that stays down is no failure: it may come up later, and loopback works without. */
    private void waitForLink(Port port) throws VerbsException {
        long deadline = System.nanoTime() + options.linkUp().toNanos();
        while (!port.isUp()) {
            if (System.nanoTime() - deadline > 0) {
                LOG.log(
                        Level.WARNING,
                        "{0}: port 1 is still down after {1} ms; check cable and peer",
                        name,
                        options.linkUp().toMillis());
                return;
            }
            LockSupport.parkNanos(5 * POLL_NANOS);
        }
    }
}
