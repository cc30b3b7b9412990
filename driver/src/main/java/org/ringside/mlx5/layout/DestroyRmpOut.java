package org.ringside.mlx5.layout;

/**
 * DESTROY_RMP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_rmp_out_bits}.
 */
public final class DestroyRmpOut extends Layout {
    public static final DestroyRmpOut LAYOUT = new DestroyRmpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroyRmpOut() {
        super("destroy_rmp_out", 0x10);
    }
}
