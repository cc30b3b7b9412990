package org.ringside.mlx5.layout;

/**
 * QUERY_QP.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_qp_in_bits}.
 */
public final class QueryQpIn extends Layout {
    public static final QueryQpIn LAYOUT = new QueryQpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field QPC_EXT = LAYOUT.bit("qpc_ext", 0x08, 31);
    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    private QueryQpIn() {
        super("query_qp_in", 0x10);
    }
}
