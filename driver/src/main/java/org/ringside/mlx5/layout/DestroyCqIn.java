package org.ringside.mlx5.layout;

/**
 * DESTROY_CQ.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_cq_in_bits}.
 */
public final class DestroyCqIn extends Layout {
    public static final DestroyCqIn LAYOUT = new DestroyCqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field CQN = LAYOUT.field("cqn", 0x08, 23, 0);

    private DestroyCqIn() {
        super("destroy_cq_in", 0x10);
    }
}
