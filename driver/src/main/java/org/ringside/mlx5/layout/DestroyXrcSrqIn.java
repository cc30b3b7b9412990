package org.ringside.mlx5.layout;

/**
 * DESTROY_XRC_SRQ.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_xrc_srq_in_bits}.
 */
public final class DestroyXrcSrqIn extends Layout {
    public static final DestroyXrcSrqIn LAYOUT = new DestroyXrcSrqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final Field XRC_SRQN = LAYOUT.field("xrc_srqn", 0x08, 23, 0);

    private DestroyXrcSrqIn() {
        super("destroy_xrc_srq_in", 0x10);
    }
}
