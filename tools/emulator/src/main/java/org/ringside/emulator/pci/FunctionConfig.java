package org.ringside.emulator.pci;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.MsixSpec;
import org.ringside.emulator.device.PciIdentity;

/**
 * Configuration space of an emulated function, and what its registers mean for the rest of it.
 *
 * <p>Threading: one thread.
 */
public final class FunctionConfig {
    /** Bytes, with extended space. */
    public static final int SIZE = 4096;

    private static final int POWER_MANAGEMENT = 0x40;
    private static final int PCI_EXPRESS = 0x60;
    private static final int MSIX = PCI_EXPRESS + PciExpress.SIZE;

    private final ConfigSpace space = new ConfigSpace(SIZE);
    private final Effects effects;

    /** What writes cause outside of the space; called after the write has taken effect. */
    public interface Effects {
        /**
         * Whether the function may master the bus has changed: Bus Master Enable, or the power
         * state.
         */
        void busMaster(boolean enabled);

        /**
         * The driver wants a function level reset. Calls {@link FunctionConfig#reset()} among
         * others.
         */
        void functionLevelReset();
    }

    /** The space of a function, as after reset. */
    public FunctionConfig(
            PciIdentity identity, List<BarSpec> bars, @Nullable MsixSpec msix, Effects effects) {
        this.effects = effects;
        HeaderType0.define(space, identity, PCI_EXPRESS);
        for (BarSpec bar : bars) {
            HeaderType0.define(space, bar);
        }
        PciExpress.define(space, PCI_EXPRESS, msix != null ? MSIX : POWER_MANAGEMENT);
        if (msix != null) {
            MsixCapability.define(space, MSIX, POWER_MANAGEMENT, msix);
        }
        PowerManagement.define(space, POWER_MANAGEMENT, 0);
    }

    /** Reads any number of bytes within the space. */
    public void read(int offset, MemorySegment into, long at, int length) {
        space.read(offset, into, at, length);
    }

    /** Writes any number of bytes within the space, with all consequences. */
    public void write(int offset, MemorySegment from, long at, int length) {
        boolean master = isBusMaster();
        int power = PowerManagement.state(space, POWER_MANAGEMENT);
        space.write(offset, from, at, length);
        PowerManagement.settle(space, POWER_MANAGEMENT, power);
        boolean flr = PciExpress.takeFlr(space, PCI_EXPRESS);
        if (isBusMaster() != master) {
            effects.busMaster(!master);
        }
        if (flr) {
            effects.functionLevelReset();
        }
    }

    /** Takes every register to its value after power-on. Tells nobody. */
    public void reset() {
        space.reset();
    }

    /** Whether the function may do DMA and send interrupts. */
    public boolean isBusMaster() {
        return command(HeaderType0.COMMAND_BUS_MASTER) && isAwake();
    }

    /** Whether the function answers accesses to its BARs. */
    public boolean decodesMemory() {
        return command(HeaderType0.COMMAND_MEMORY) && isAwake();
    }

    private boolean command(int bit) {
        return (space.get(HeaderType0.COMMAND, 2) & bit) != 0;
    }

    private boolean isAwake() {
        return PowerManagement.state(space, POWER_MANAGEMENT) == PowerManagement.D0;
    }
}
