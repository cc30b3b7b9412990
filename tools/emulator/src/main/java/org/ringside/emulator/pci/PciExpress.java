package org.ringside.emulator.pci;

/**
 * The PCI Express capability of an endpoint, version 2 (PCI Express Base 3.0, 7.8): function level
 * reset, a link of 16 lanes at 8 GT/s.
 */
final class PciExpress {
    private static final int ID = 0x10;
    private static final int VERSION_2 = 2;

    /** Bytes. */
    static final int SIZE = 0x3c;

    private static final int MAX_PAYLOAD_512 = 2;
    private static final int EXTENDED_TAG = 1 << 5;
    private static final int ROLE_BASED_ERRORS = 1 << 15;
    private static final int FLR_CAPABLE = 1 << 28;

    private static final int DEVICE_CONTROL = 0x08;
    private static final int INITIATE_FLR = 1 << 15;
    private static final int RELAXED_ORDERING = 1 << 4;
    private static final int NO_SNOOP = 1 << 11;
    private static final int MAX_READ_512 = 2 << 12;

    private static final int SPEED_8GT = 3;
    private static final int WIDTH_16 = 16 << 4;
    private static final int SLOT_CLOCK = 1 << 12;

    private PciExpress() {}

    static void define(ConfigSpace space, int at, int next) {
        int capabilities = MAX_PAYLOAD_512 | EXTENDED_TAG | ROLE_BASED_ERRORS | FLR_CAPABLE;
        int control = RELAXED_ORDERING | NO_SNOOP | MAX_READ_512;
        //           offset width reset                 writable  cleared by one
        space.define(at, 1, ID);
        space.define(at + 0x01, 1, next);
        space.define(at + 0x02, 2, VERSION_2); // device type 0: endpoint
        space.define(at + 0x04, 4, capabilities);
        space.define(at + DEVICE_CONTROL, 2, control, 0xffff);
        space.define(at + 0x0a, 2, 0, 0, 0xf); // device status
        space.define(at + 0x0c, 4, SPEED_8GT | WIDTH_16); // link capabilities
        space.define(at + 0x10, 2, 0, 0xcb); // link control: ASPM, RCB, clock, sync
        space.define(at + 0x12, 2, SPEED_8GT | WIDTH_16 | SLOT_CLOCK); // link status
        space.define(at + 0x24, 4, 0x1f); // completion timeout ranges and disable
        space.define(at + 0x28, 2, 0, 0x1f); // device control 2: the same
        space.define(at + 0x2c, 4, 0x0e); // 2.5, 5 and 8 GT/s
        space.define(at + 0x30, 2, SPEED_8GT, 0xf); // link control 2: target speed
    }

    /** Whether a write asked for a function level reset; the bit reads 0 ever after (7.8.4). */
    static boolean takeFlr(ConfigSpace space, int at) {
        int control = space.get(at + DEVICE_CONTROL, 2);
        space.set(at + DEVICE_CONTROL, 2, control & ~INITIATE_FLR);
        return (control & INITIATE_FLR) != 0;
    }
}
