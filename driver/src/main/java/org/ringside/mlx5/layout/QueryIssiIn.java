package org.ringside.mlx5.layout;

/**
 * QUERY_ISSI: which interface revisions firmware speaks.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_issi_in_bits}.
 */
public final class QueryIssiIn extends Layout {
    public static final QueryIssiIn LAYOUT = new QueryIssiIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private QueryIssiIn() {
        super("query_issi_in", 0x10);
    }
}
