package org.ringside.mlx5.layout;

/**
 * TEARDOWN_HCA's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_teardown_hca_out_bits}.
 */
public final class TeardownHcaOut extends Layout {
    public static final TeardownHcaOut LAYOUT = new TeardownHcaOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** 1: force teardown was refused. */
    public static final Field STATE = LAYOUT.bit("state", 0x0c, 0);

    private TeardownHcaOut() {
        super("teardown_hca_out", 0x10);
    }
}
