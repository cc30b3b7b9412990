package org.ringside.mlx5.layout;

/**
 * The first bytes of BAR0: firmware version, command queue address and doorbell, health. Registers,
 * so big endian however the CPU is; the only structure here that isn't in host memory.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_initial_seg_bits}; device.h.
 */
public final class InitialSeg extends Layout {
    public static final InitialSeg LAYOUT = new InitialSeg();

    public static final Field FW_REV_MINOR = LAYOUT.field("fw_rev_minor", 0x00, 31, 16);
    public static final Field FW_REV_MAJOR = LAYOUT.field("fw_rev_major", 0x00, 15, 0);

    /** 5 on all known devices. */
    public static final Field CMD_INTERFACE_REV = LAYOUT.field("cmd_interface_rev", 0x04, 31, 16);

    public static final Field FW_REV_SUBMINOR = LAYOUT.field("fw_rev_subminor", 0x04, 15, 0);

    /** Write first. */
    public static final Field CMDQ_PHY_ADDR_63_32 = LAYOUT.dword("cmdq_phy_addr_63_32", 0x10);

    /** 4 KiB aligned; this dword's write makes both count. */
    public static final Field CMDQ_PHY_ADDR_31_12 =
            LAYOUT.field("cmdq_phy_addr_31_12", 0x14, 31, 12);

    /** 0 full driver, 1 disabled, 2 no DRAM; Linux has 7, software reset, with bit 10. */
    public static final Field NIC_INTERFACE = LAYOUT.field("nic_interface", 0x14, 9, 8);

    /** Log2 of slots. */
    public static final Field LOG_CMDQ_SIZE = LAYOUT.field("log_cmdq_size", 0x14, 7, 4);

    /** Log2 of bytes per slot: 6. */
    public static final Field LOG_CMDQ_STRIDE = LAYOUT.field("log_cmdq_stride", 0x14, 3, 0);

    /** Bit n: slot n has a command; reads are undefined. */
    public static final Field COMMAND_DOORBELL_VECTOR =
            LAYOUT.dword("command_doorbell_vector", 0x18);

    /** 1 until firmware takes commands. */
    public static final Field INITIALIZING = LAYOUT.bit("initializing", 0x1fc, 31);

    /** Modes beyond full driver. */
    public static final Field NIC_INTERFACE_SUPPORTED =
            LAYOUT.field("nic_interface_supported", 0x1fc, 26, 24);

    /** This function belongs to the device's own CPU. */
    public static final Field EMBEDDED_CPU = LAYOUT.bit("embedded_cpu", 0x1fc, 23);

    public static final StructField HEALTH_BUFFER =
            LAYOUT.struct("health_buffer", 0x200, HealthBuffer.LAYOUT);

    /** From BAR start. */
    public static final Field NO_DRAM_NIC_OFFSET = LAYOUT.dword("no_dram_nic_offset", 0x240);

    /** Milliseconds. */
    public static final Field CMD_EXEC_TO = LAYOUT.dword("cmd_exec_to", 0xff8);

    /** Milliseconds; 0: no DTOR register. */
    public static final Field CMD_Q_INIT_TO = LAYOUT.dword("cmd_q_init_to", 0xffc);

    /** Free-running clock, device_frequency_khz. */
    public static final Field INTERNAL_TIMER_H = LAYOUT.dword("internal_timer_h", 0x1000);

    public static final Field INTERNAL_TIMER_L = LAYOUT.dword("internal_timer_l", 0x1004);

    /** INTx acknowledge. */
    public static final Field CLEAR_INT = LAYOUT.bit("clear_int", 0x100c, 0);

    /** Same as HealthBuffer.SYND. */
    public static final Field HEALTH_SYNDROME =
            LAYOUT.field("health_syndrome", 0x1010, 31, 24, HealthSyndrome::name);

    /** Counts while firmware lives. */
    public static final Field HEALTH_COUNTER = LAYOUT.field("health_counter", 0x1010, 23, 0);

    /** Seconds. */
    public static final Field REAL_TIME_H = LAYOUT.dword("real_time_h", 0x1040);

    /** Nanoseconds. */
    public static final Field REAL_TIME_L = LAYOUT.dword("real_time_l", 0x1044);

    private InitialSeg() {
        super("initial_seg", 0x400c);
    }
}
