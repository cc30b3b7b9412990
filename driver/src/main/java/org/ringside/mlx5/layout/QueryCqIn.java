package org.ringside.mlx5.layout;

/**
 * QUERY_CQ.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_cq_in_bits}.
 */
public final class QueryCqIn extends Layout {
    public static final QueryCqIn LAYOUT = new QueryCqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field CQN = LAYOUT.field("cqn", 0x08, 23, 0);

    private QueryCqIn() {
        super("query_cq_in", 0x10);
    }
}
