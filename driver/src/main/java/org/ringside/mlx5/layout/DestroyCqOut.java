package org.ringside.mlx5.layout;

/**
 * DESTROY_CQ's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_cq_out_bits}.
 */
public final class DestroyCqOut extends Layout {
    public static final DestroyCqOut LAYOUT = new DestroyCqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroyCqOut() {
        super("destroy_cq_out", 0x10);
    }
}
