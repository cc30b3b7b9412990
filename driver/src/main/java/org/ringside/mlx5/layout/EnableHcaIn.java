package org.ringside.mlx5.layout;

/**
 * ENABLE_HCA: the first command of a function's life.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_enable_hca_in_bits}.
 */
public final class EnableHcaIn extends Layout {
    public static final EnableHcaIn LAYOUT = new EnableHcaIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** The ID is one of the embedded CPU's. */
    public static final Field EMBEDDED_CPU_FUNCTION = LAYOUT.bit("embedded_cpu_function", 0x08, 31);

    /** 0: this function itself. */
    public static final Field FUNCTION_ID = LAYOUT.field("function_id", 0x08, 15, 0);

    private EnableHcaIn() {
        super("enable_hca_in", 0x10);
    }
}
