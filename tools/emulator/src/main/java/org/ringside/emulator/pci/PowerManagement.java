package org.ringside.emulator.pci;

/**
 * The power management capability (PCI Bus Power Management Interface 1.2, figure 3-1). The state
 * field holds what was written: a guest whose write of D3hot does not read back never writes D0
 * again.
 */
final class PowerManagement {
    private static final int ID = 0x01;
    private static final int VERSION_3 = 3;
    private static final int PMCSR = 4;
    private static final int STATE = 0x3;

    /** State and registers survive the way from D3hot to D0. */
    private static final int NO_SOFT_RESET = 1 << 3;

    static final int D0 = 0;
    static final int D3HOT = 3;

    private PowerManagement() {}

    static void define(ConfigSpace space, int at, int next) {
        space.define(at, 1, ID);
        space.define(at + 1, 1, next);
        space.define(at + 2, 2, VERSION_3); // neither D1 nor D2, no PME
        space.define(at + PMCSR, 2, NO_SOFT_RESET, STATE);
    }

    static int state(ConfigSpace space, int at) {
        return space.get(at + PMCSR, 2) & STATE;
    }

    /** A write of a state that the function does not have is discarded (3.2.4). */
    static void settle(ConfigSpace space, int at, int before) {
        int state = state(space, at);
        if (state != D0 && state != D3HOT) {
            space.set(at + PMCSR, 2, (space.get(at + PMCSR, 2) & ~STATE) | before);
        }
    }
}
