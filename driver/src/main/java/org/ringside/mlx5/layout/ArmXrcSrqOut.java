package org.ringside.mlx5.layout;

/**
 * ARM_XRC_SRQ's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_arm_xrc_srq_out_bits}.
 */
public final class ArmXrcSrqOut extends Layout {
    public static final ArmXrcSrqOut LAYOUT = new ArmXrcSrqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private ArmXrcSrqOut() {
        super("arm_xrc_srq_out", 0x10);
    }
}
