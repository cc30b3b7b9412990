package org.ringside.mlx5.layout;

/**
 * ARM_RQ's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_arm_rq_out_bits}.
 */
public final class ArmRqOut extends Layout {
    public static final ArmRqOut LAYOUT = new ArmRqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private ArmRqOut() {
        super("arm_rq_out", 0x10);
    }
}
