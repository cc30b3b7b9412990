package org.ringside.mlx5.layout;

/**
 * DESTROY_SRQ's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_srq_out_bits}.
 */
public final class DestroySrqOut extends Layout {
    public static final DestroySrqOut LAYOUT = new DestroySrqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroySrqOut() {
        super("destroy_srq_out", 0x10);
    }
}
