package org.ringside.mlx5.layout;

/**
 * QUERY_PAGES: how many pages firmware wants now; op_mod says for which stage.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_pages_in_bits}.
 */
public final class QueryPagesIn extends Layout {
    public static final QueryPagesIn LAYOUT = new QueryPagesIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** The ID is one of the embedded CPU's. */
    public static final Field EMBEDDED_CPU_FUNCTION = LAYOUT.bit("embedded_cpu_function", 0x08, 31);

    /** 0: this function itself. */
    public static final Field FUNCTION_ID = LAYOUT.field("function_id", 0x08, 15, 0);

    private QueryPagesIn() {
        super("query_pages_in", 0x10);
    }
}
