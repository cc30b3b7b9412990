package org.ringside.mlx5.layout;

/**
 * ACCESS_REG's answer: the register as it is now.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_access_register_out_bits}.
 */
public final class AccessRegisterOut extends Layout {
    public static final AccessRegisterOut LAYOUT = new AccessRegisterOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final ArrayField REGISTER_DATA = LAYOUT.list("register_data", 0x10, 32);

    private AccessRegisterOut() {
        super("access_register_out", 0x10);
    }
}
