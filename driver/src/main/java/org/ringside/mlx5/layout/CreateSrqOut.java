package org.ringside.mlx5.layout;

/**
 * CREATE_SRQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_srq_out_bits}.
 */
public final class CreateSrqOut extends Layout {
    public static final CreateSrqOut LAYOUT = new CreateSrqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field SRQN = LAYOUT.field("srqn", 0x08, 23, 0);

    private CreateSrqOut() {
        super("create_srq_out", 0x10);
    }
}
