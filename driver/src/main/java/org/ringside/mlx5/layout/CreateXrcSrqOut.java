package org.ringside.mlx5.layout;

/**
 * CREATE_XRC_SRQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_xrc_srq_out_bits}.
 */
public final class CreateXrcSrqOut extends Layout {
    public static final CreateXrcSrqOut LAYOUT = new CreateXrcSrqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field XRC_SRQN = LAYOUT.field("xrc_srqn", 0x08, 23, 0);

    private CreateXrcSrqOut() {
        super("create_xrc_srq_out", 0x10);
    }
}
