package org.ringside.emulator.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.Agent;
import org.ringside.emulator.device.FunctionHost;
import org.ringside.emulator.device.HostMemory;
import org.ringside.emulator.record.Recorder;
import org.ringside.emulator.transport.Engine;
import org.ringside.emulator.transport.Wire;

/**
 * All that a function knows since its last reset: registers, commands in flight, pages, objects. A
 * reset makes a new one.
 */
final class Hca {
    private static final Logger LOG = System.getLogger(Hca.class.getName());

    private final DeviceOptions options;
    private final FunctionHost host;
    private final Findings findings;
    private final Faults faults;
    private final Wire wire;
    private final @Nullable Recorder recorder;
    private final Caller caller = new Caller();
    private final InitSegment init;
    private final Capabilities capabilities;
    private final FirmwarePages pages;
    private final EventQueues events;
    private final Engine engine;
    private final UarSpace uars;
    private final Port port;
    private final Objects objects;
    private final CommandQueue queue;
    private HcaState state = HcaState.DISABLED;
    private String driverVersion = "";

    Hca(
            DeviceOptions options,
            FunctionHost host,
            Findings findings,
            Faults faults,
            Wire wire,
            int lid,
            @Nullable UarMemory uarMemory,
            @Nullable Recorder recorder) {
        this.options = options;
        this.host = host;
        this.findings = findings;
        this.faults = faults;
        this.wire = wire;
        this.recorder = recorder;
        this.init = new InitSegment(this);
        this.capabilities = new Capabilities(options);
        this.pages = new FirmwarePages(this);
        this.events = new EventQueues(this);
        this.engine =
                new Engine(
                        host.dma(),
                        events,
                        text -> findings.report(Finding.Kind.DATA_PATH, text),
                        wire,
                        System::nanoTime,
                        recorder == null ? null : recorder::cqe,
                        faults::takeCqeDrop);
        this.uars = new UarSpace(this, uarMemory);
        this.port = new Port(this, lid);
        this.objects = new Objects(caller);
        this.queue =
                new CommandQueue(
                        this,
                        new CommandTable(
                                new LifeCommands(this),
                                new PageCommands(this),
                                new CapabilityCommands(this),
                                new RegisterCommands(this),
                                new VportCommands(this),
                                new IbVportCommands(this),
                                new RoceCommands(this),
                                new SimpleCommands(this),
                                new UctxCommands(this),
                                new EqCommands(this),
                                new UmemCommands(this),
                                new CqCommands(this),
                                new MkeyCommands(this),
                                new QpCommands(this),
                                new QpTransitions(this),
                                new SrqCommands(this),
                                new XrcSrqCommands(this),
                                new RmpCommands(this),
                                new McgCommands(this),
                                new MadCommands(this)));
    }

    DeviceOptions options() {
        return options;
    }

    FunctionHost host() {
        return host;
    }

    HostMemory dma() {
        return host.dma();
    }

    Findings findings() {
        return findings;
    }

    Faults faults() {
        return faults;
    }

    /** Where everything is written down; null when nobody wants to read it. */
    @Nullable Recorder recorder() {
        return recorder;
    }

    Wire wire() {
        return wire;
    }

    /** For whom the command is that is being done. */
    Caller caller() {
        return caller;
    }

    InitSegment init() {
        return init;
    }

    Capabilities capabilities() {
        return capabilities;
    }

    FirmwarePages pages() {
        return pages;
    }

    EventQueues events() {
        return events;
    }

    Engine engine() {
        return engine;
    }

    UarSpace uars() {
        return uars;
    }

    Port port() {
        return port;
    }

    Objects objects() {
        return objects;
    }

    CommandQueue queue() {
        return queue;
    }

    HcaState state() {
        return state;
    }

    /** Who drives it, as the driver says (SET_DRIVER_VERSION); empty when it did not say. */
    String driverVersion() {
        return driverVersion;
    }

    void driverVersion(String text) {
        driverVersion = text;
        log("driver " + text);
    }

    /** A line for those who follow what happens. */
    void log(String text) {
        LOG.log(Level.DEBUG, () -> options.name() + ": " + text);
    }

    void state(HcaState next) {
        state = next;
        if (next == HcaState.INITIALIZED && port.isInfiniBand()) {
            port.infiniBand().join(wire, engine);
        }
    }

    int poll() {
        int done = queue.poll() + uars.poll() + port.poll();
        return faults.isDataPathStopped() ? done : done + engine.poll();
    }

    long maxParkNanos() {
        return Math.min(
                Math.min(queue.maxParkNanos(), uars.maxParkNanos()),
                Math.min(
                        faults.isDataPathStopped()
                                ? Agent.SHARED_MEMORY_PARK_NANOS
                                : engine.maxParkNanos(),
                        port.maxParkNanos()));
    }

    /** INIT_HCA is undone: objects that the driver left behind are gone with their doorbells. */
    void dropObjects() {
        String alive = objects.describe(uars.table(), events.table());
        if (!alive.isEmpty()) {
            findings.report(Finding.Kind.LEAK, "function stopped with " + alive);
        } else {
            log("function stopped, no object left");
        }
        engine.reset();
        objects.clear();
        uars.clear();
        events.clear();
        port.reset();
    }

    /** Everything stops at once, as nic_interface 1 asks: no command is answered any more. */
    void disable() {
        queue.drop();
        engine.reset();
        objects.clear();
        uars.clear();
        events.clear();
        pages.abandon();
        state = HcaState.DISABLED;
    }

    /** The function was reset, or goes: nothing may happen any more. */
    void end() {
        queue.drop();
        engine.reset();
        uars.clear();
    }
}
