package org.ringside.mlx5.layout;

/**
 * QUERY_SPECIAL_CONTEXTS: memory keys with fixed meanings.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_special_contexts_in_bits}.
 */
public final class QuerySpecialContextsIn extends Layout {
    public static final QuerySpecialContextsIn LAYOUT = new QuerySpecialContextsIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private QuerySpecialContextsIn() {
        super("query_special_contexts_in", 0x10);
    }
}
