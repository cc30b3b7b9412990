package org.ringside.mlx5.layout;

/**
 * ARM_XRC_SRQ: asks for an event when fewer receive WQEs are left than the limit.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_arm_xrc_srq_in_bits}.
 */
public final class ArmXrcSrqIn extends Layout {
    public static final ArmXrcSrqIn LAYOUT = new ArmXrcSrqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final Field XRC_SRQN = LAYOUT.field("xrc_srqn", 0x08, 23, 0);
    public static final Field LWM = LAYOUT.field("lwm", 0x0c, 15, 0);

    private ArmXrcSrqIn() {
        super("arm_xrc_srq_in", 0x10);
    }
}
