package org.ringside.mlx5.layout;

/**
 * QUERY_SRQ.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_srq_in_bits}.
 */
public final class QuerySrqIn extends Layout {
    public static final QuerySrqIn LAYOUT = new QuerySrqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field SRQN = LAYOUT.field("srqn", 0x08, 23, 0);

    private QuerySrqIn() {
        super("query_srq_in", 0x10);
    }
}
