package org.ringside.mlx5.layout;

/**
 * INIT_HCA's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_init_hca_out_bits}.
 */
public final class InitHcaOut extends Layout {
    public static final InitHcaOut LAYOUT = new InitHcaOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private InitHcaOut() {
        super("init_hca_out", 0x10);
    }
}
