package org.ringside.mlx5.layout;

/**
 * DESTROY_EQ's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_eq_out_bits}.
 */
public final class DestroyEqOut extends Layout {
    public static final DestroyEqOut LAYOUT = new DestroyEqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroyEqOut() {
        super("destroy_eq_out", 0x10);
    }
}
