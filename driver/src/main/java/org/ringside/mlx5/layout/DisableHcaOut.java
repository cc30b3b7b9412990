package org.ringside.mlx5.layout;

/**
 * DISABLE_HCA's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_disable_hca_out_bits}.
 */
public final class DisableHcaOut extends Layout {
    public static final DisableHcaOut LAYOUT = new DisableHcaOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DisableHcaOut() {
        super("disable_hca_out", 0xc);
    }
}
