package org.ringside.mlx5.layout;

/**
 * DESTROY_UCTX's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_uctx_out_bits}.
 */
public final class DestroyUctxOut extends Layout {
    public static final DestroyUctxOut LAYOUT = new DestroyUctxOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroyUctxOut() {
        super("destroy_uctx_out", 0x10);
    }
}
