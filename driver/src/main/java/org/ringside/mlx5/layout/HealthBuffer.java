package org.ringside.mlx5.layout;

/**
 * What firmware last said about itself, inside the initialization segment: where it asserted, and
 * why. Valid from the moment the health syndrome is not zero.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_health_buffer_bits}; device.h.
 */
public final class HealthBuffer extends Layout {
    public static final HealthBuffer LAYOUT = new HealthBuffer();

    /** Firmware variables at the assertion. */
    public static final ArrayField ASSERT_VAR = LAYOUT.array("assert_var", 0x00, 32, 6);

    /** Firmware program counter. */
    public static final Field ASSERT_EXISTPTR = LAYOUT.dword("assert_existptr", 0x20);

    /** Its caller. */
    public static final Field ASSERT_CALLRA = LAYOUT.dword("assert_callra", 0x24);

    /** Seconds since the epoch, when valid. */
    public static final Field TIME = LAYOUT.dword("time", 0x2c);

    /** All ones: the device fell off the bus. */
    public static final Field FW_VERSION = LAYOUT.dword("fw_version", 0x30);

    public static final Field HW_ID = LAYOUT.dword("hw_id", 0x34);

    /** Recovery by FLR wanted. */
    public static final Field RFR = LAYOUT.bit("rfr", 0x38, 31);

    public static final Field VALID = LAYOUT.bit("valid", 0x38, 27);

    /** Syslog's scale. */
    public static final Field SEVERITY = LAYOUT.field("severity", 0x38, 26, 24);

    /** Which internal processor. */
    public static final Field IRISC_INDEX = LAYOUT.field("irisc_index", 0x3c, 31, 24);

    public static final Field SYND = LAYOUT.field("synd", 0x3c, 23, 16, HealthSyndrome::name);
    public static final Field EXT_SYND = LAYOUT.field("ext_synd", 0x3c, 15, 0);

    private HealthBuffer() {
        super("health_buffer", 0x40);
    }
}
