package org.ringside.mlx5.layout;

/**
 * QUERY_ADAPTER: what board this is.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_adapter_in_bits}.
 */
public final class QueryAdapterIn extends Layout {
    public static final QueryAdapterIn LAYOUT = new QueryAdapterIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private QueryAdapterIn() {
        super("query_adapter_in", 0x10);
    }
}
