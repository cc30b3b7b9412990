package org.ringside.mlx5.layout;

/**
 * CREATE_CQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_cq_out_bits}.
 */
public final class CreateCqOut extends Layout {
    public static final CreateCqOut LAYOUT = new CreateCqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field CQN = LAYOUT.field("cqn", 0x08, 23, 0);

    private CreateCqOut() {
        super("create_cq_out", 0x10);
    }
}
