package org.ringside.emulator.pci;

import org.ringside.emulator.device.BarSpec;
import org.ringside.emulator.device.PciIdentity;

/** The header of an endpoint (PCI Local Bus 3.0, figure 6-1). */
final class HeaderType0 {
    static final int COMMAND = 0x04;
    static final int COMMAND_MEMORY = 1 << 1;
    static final int COMMAND_BUS_MASTER = 1 << 2;
    private static final int COMMAND_PARITY = 1 << 6;
    private static final int COMMAND_SERR = 1 << 8;
    private static final int COMMAND_INTX_DISABLE = 1 << 10;

    private static final int STATUS_CAPABILITIES = 1 << 4;
    private static final int STATUS_ERRORS = 0xf900;

    private static final int BAR0 = 0x10;
    private static final int BAR_64_BIT = 1 << 2;
    private static final int BAR_PREFETCHABLE = 1 << 3;
    private static final int BAR_FLAGS = 0xf;

    static final int CAPABILITIES = 0x34;

    private HeaderType0() {}

    static void define(ConfigSpace space, PciIdentity id, int firstCapability) {
        int command =
                COMMAND_MEMORY
                        | COMMAND_BUS_MASTER
                        | COMMAND_PARITY
                        | COMMAND_SERR
                        | COMMAND_INTX_DISABLE;
        //           offset width reset                 writable  cleared by one
        space.define(0x00, 2, id.vendor());
        space.define(0x02, 2, id.device());
        space.define(COMMAND, 2, 0, command);
        space.define(0x06, 2, STATUS_CAPABILITIES, 0, STATUS_ERRORS);
        space.define(0x08, 1, id.revision());
        space.define(0x09, 3, id.classCode());
        space.define(0x0c, 1, 0, 0xff); // cache line size
        space.define(0x0d, 1, 0); // latency timer: not on PCI Express
        space.define(0x0e, 1, 0); // header type 0, one function
        space.define(0x2c, 2, id.subsystemVendor());
        space.define(0x2e, 2, id.subsystem());
        space.define(0x30, 4, 0); // no expansion ROM
        space.define(CAPABILITIES, 1, firstCapability);
        space.define(0x3c, 1, 0, 0xff); // interrupt line: software's own
        space.define(0x3d, 1, 0); // no interrupt pin
    }

    /** A BAR: address bits below its size read 0, and so tell the size. */
    static void define(ConfigSpace space, BarSpec bar) {
        int flags = (bar.is64Bit() ? BAR_64_BIT : 0) | (bar.prefetchable() ? BAR_PREFETCHABLE : 0);
        long address = -bar.size() & ~BAR_FLAGS;
        space.define(BAR0 + 4 * bar.index(), bar.is64Bit() ? 8 : 4, flags, address);
    }
}
