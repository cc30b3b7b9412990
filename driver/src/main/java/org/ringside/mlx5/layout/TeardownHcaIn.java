package org.ringside.mlx5.layout;

/**
 * TEARDOWN_HCA: stops the function.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_teardown_hca_in_bits}.
 */
public final class TeardownHcaIn extends Layout {
    public static final TeardownHcaIn LAYOUT = new TeardownHcaIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 0 graceful, 1 force, 2 prepare for fast. */
    public static final Field PROFILE = LAYOUT.field("profile", 0x08, 15, 0);

    private TeardownHcaIn() {
        super("teardown_hca_in", 0x10);
    }
}
