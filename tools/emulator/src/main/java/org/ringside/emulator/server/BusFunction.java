package org.ringside.emulator.server;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.device.EmulatedFunction;
import org.ringside.emulator.device.FunctionHost;
import org.ringside.emulator.device.HostMemory;
import org.ringside.emulator.device.MsixSpec;
import org.ringside.emulator.device.ResetCause;
import org.ringside.emulator.pci.FunctionConfig;
import org.ringside.emulator.pci.MsixTable;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.InterruptType;

/**
 * A function with what the bus adds to it: configuration space, MSI-X structures, eventfds, DMA.
 * Outlives the clients.
 *
 * <p>Threading: the agent's thread.
 */
final class BusFunction implements FunctionHost, FunctionConfig.Effects {
    private final EmulatedFunction function;
    private final DeviceAgent agent;
    private final FunctionConfig config;
    private final @Nullable MsixTable msixTable;
    private final @Nullable BarSpec[] bars = new @Nullable BarSpec[6];
    private final IrqVectors[] irqs = new IrqVectors[InterruptType.values().length];
    private final IrqVectors msix;
    private final BackingStore files;
    private final DmaTable dma;
    private long droppedInterrupts;

    BusFunction(EmulatedFunction function, DeviceAgent agent, SystemCalls calls) {
        this.function = function;
        this.agent = agent;
        MsixSpec spec = function.msix();
        this.config = new FunctionConfig(function.identity(), function.bars(), spec, this);
        this.msixTable = spec == null ? null : new MsixTable(spec);
        for (BarSpec bar : function.bars()) {
            bars[bar.index()] = bar;
        }
        for (InterruptType type : InterruptType.values()) {
            irqs[type.index()] = new IrqVectors(calls, vectors(type, spec));
        }
        this.msix = irqs[InterruptType.MSIX.index()];
        this.files = new BackingStore(calls);
        this.dma = new DmaTable(files);
    }

    private static int vectors(InterruptType type, @Nullable MsixSpec spec) {
        return switch (type) {
            case INTX, MSI -> 0;
            case MSIX -> spec == null ? 0 : spec.vectors();
            case ERR, REQ -> 1;
        };
    }

    EmulatedFunction function() {
        return function;
    }

    FunctionConfig config() {
        return config;
    }

    @Nullable MsixTable msixTable() {
        return msixTable;
    }

    /** The BAR with that index, or null; the upper half of a 64-bit one is none. */
    @Nullable BarSpec bar(int index) {
        return index < bars.length ? bars[index] : null;
    }

    IrqVectors irqs(int index) {
        return irqs[index];
    }

    BackingStore files() {
        return files;
    }

    DmaTable dmaTable() {
        return dma;
    }

    @Override
    public HostMemory dma() {
        return dma;
    }

    @Override
    public void raise(int vector) {
        if (!config.isBusMaster() || !msix.fire(vector)) {
            droppedInterrupts++;
        }
    }

    @Override
    public long droppedInterrupts() {
        return droppedInterrupts;
    }

    @Override
    public DeviceAgent agent() {
        return agent;
    }

    @Override
    public void busMaster(boolean enabled) {
        dma.enable(enabled);
        function.busMaster(enabled);
    }

    @Override
    public void functionLevelReset() {
        reset(ResetCause.FUNCTION_LEVEL);
    }

    /** Takes all of it to the power-on state. Eventfds and DMA ranges are the client's and stay. */
    void reset(ResetCause cause) {
        config.reset();
        dma.enable(false);
        if (msixTable != null) {
            msixTable.reset();
        }
        function.reset(cause);
    }

    /** The client has gone, and everything that was its own. */
    void clientLost() {
        try {
            reset(ResetCause.CLIENT_LOST);
        } finally {
            for (IrqVectors vectors : irqs) {
                vectors.detachAll();
            }
            dma.clear();
        }
    }
}
