package org.ringside.mlx5.layout;

/**
 * SET_DRIVER_VERSION's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_driver_version_out_bits}.
 */
public final class SetDriverVersionOut extends Layout {
    public static final SetDriverVersionOut LAYOUT = new SetDriverVersionOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private SetDriverVersionOut() {
        super("set_driver_version_out", 0x10);
    }
}
