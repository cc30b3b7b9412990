package org.ringside.ethernet.e1000e;

/** Registers in BAR 0 that the driver uses (82574 datasheet, chapter 10). */
final class Registers {
    /** Bytes of the BAR, at least. */
    static final int SPACE = 0x5c00;

    /** Device control (10.2.2.1). */
    static final int CTRL = 0x0000;

    /** No new request of the NIC to the PCIe bus. */
    static final int CTRL_MASTER_DISABLE = 1 << 2;

    static final int CTRL_SET_LINK_UP = 1 << 6;

    /** The link's speed and duplex are not negotiated but forced. */
    static final int CTRL_FORCED = 1 << 11 | 1 << 12;

    static final int CTRL_RESET = 1 << 26;

    /** Linux clears it on the 82574 (82571.c, e1000_initialize_hw_bits_82571). */
    static final int CTRL_CLEARED = 1 << 29;

    /** Device status (10.2.2.2). */
    static final int STATUS = 0x0008;

    static final int STATUS_MASTER_ENABLED = 1 << 19;
    static final int STATUS_LINK_UP = 1 << 1;

    /** What a register reads as when the function has gone. */
    static final int GONE = -1;

    /** EEPROM control; the bit says that the NIC has read its EEPROM after a reset (10.2.2.3). */
    static final int EECD = 0x0010;

    static final int EECD_AUTO_READ_DONE = 1 << 9;

    /** As Linux has it on the 82574 (82571.c, e1000_initialize_hw_bits_82571). */
    static final int CTRL_EXT = 0x0018;

    static final int CTRL_EXT_SET = 1 << 22;
    static final int CTRL_EXT_CLEARED = 1 << 23;

    /** Interrupt mask clear. */
    static final int IMC = 0x00d8;

    static final int RCTL = 0x0100;
    static final int RCTL_ENABLE = 1 << 1;
    static final int RCTL_MULTICAST_PROMISCUOUS = 1 << 4;
    static final int RCTL_BROADCAST = 1 << 15;
    static final int RCTL_STRIP_CRC = 1 << 26;

    static final int TCTL = 0x0400;
    static final int TCTL_ENABLE = 1 << 1;
    static final int TCTL_PAD_SHORT = 1 << 3;
    static final int TCTL_COLLISION_THRESHOLD = 0x0f << 4;
    static final int TCTL_COLLISION_DISTANCE = 0x3f << 12;

    /** Inter-packet gap, with the values that 10.2.6.2 asks for. */
    static final int TIPG = 0x0410;

    static final int TIPG_USUAL = 8 | 8 << 10 | 6 << 20;

    // Receive ring: base, bytes, head, tail
    static final int RDBAL = 0x2800;
    static final int RDBAH = 0x2804;
    static final int RDLEN = 0x2808;
    static final int RDH = 0x2810;
    static final int RDT = 0x2818;

    // Transmit ring, likewise
    static final int TDBAL = 0x3800;
    static final int TDBAH = 0x3804;
    static final int TDLEN = 0x3808;
    static final int TDH = 0x3810;
    static final int TDT = 0x3818;

    /** Transmit descriptor control: count in descriptors, write each back at once (10.2.6.11). */
    static final int TXDCTL = 0x3828;

    static final int TXDCTL_USUAL = 1 << 16 | 1 << 22 | 1 << 24;

    /** Transmit arbitration; the bit as Linux sets it on the 82574. */
    static final int TARC0 = 0x3840;

    static final int TARC0_SET = 1 << 26;

    /** PCIe control, two registers; without the second's bit transmission can stop (82571.c). */
    static final int GCR = 0x5b00;

    static final int GCR_SET = 1 << 22;
    static final int GCR2 = 0x5b64;
    static final int GCR2_SET = 1;

    /** Missed packets: no descriptor was free. Reading it clears it, as with all statistics. */
    static final int MPC = 0x4010;

    /** Receive filter control; 0 for legacy descriptors. */
    static final int RFCTL = 0x5008;

    /** Multicast table, 128 words. */
    static final int MTA = 0x5200;

    static final int MTA_WORDS = 128;

    /** Own address: low 32 bits, then 16, little endian. */
    static final int RAL = 0x5400;

    static final int RAH = 0x5404;
    static final int RAH_VALID = 1 << 31;

    private Registers() {}
}
