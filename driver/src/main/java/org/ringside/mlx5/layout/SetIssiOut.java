package org.ringside.mlx5.layout;

/**
 * SET_ISSI's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_issi_out_bits}.
 */
public final class SetIssiOut extends Layout {
    public static final SetIssiOut LAYOUT = new SetIssiOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private SetIssiOut() {
        super("set_issi_out", 0x10);
    }
}
