package org.ringside.emulator.pci;

import org.ringside.emulator.device.MsixSpec;

/**
 * The MSI-X capability (PCI Local Bus 3.0, 6.8.2): where table and pending bits lie, enable and
 * function mask.
 */
final class MsixCapability {
    private static final int ID = 0x11;
    private static final int CONTROL = 2;
    private static final int FUNCTION_MASK = 1 << 14;
    private static final int ENABLE = 1 << 15;

    private MsixCapability() {}

    static void define(ConfigSpace space, int at, int next, MsixSpec msix) {
        space.define(at, 1, ID);
        space.define(at + 1, 1, next);
        space.define(at + CONTROL, 2, msix.vectors() - 1L, FUNCTION_MASK | ENABLE);
        space.define(at + 4, 4, msix.tableOffset() | msix.tableBar());
        space.define(at + 8, 4, msix.pbaOffset() | msix.pbaBar());
    }
}
