package org.ringside.mlx5.layout;

/**
 * QUERY_MKEY.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_mkey_in_bits}.
 */
public final class QueryMkeyIn extends Layout {
    public static final QueryMkeyIn LAYOUT = new QueryMkeyIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field MKEY_INDEX = LAYOUT.field("mkey_index", 0x08, 23, 0);
    public static final Field PG_ACCESS = LAYOUT.bit("pg_access", 0x0c, 31);

    private QueryMkeyIn() {
        super("query_mkey_in", 0x10);
    }
}
