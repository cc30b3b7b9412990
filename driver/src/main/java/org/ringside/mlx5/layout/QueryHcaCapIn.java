package org.ringside.mlx5.layout;

/**
 * QUERY_HCA_CAP: op_mod is the capability group shifted by one, plus 1 for current values or 0 for
 * what is possible.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_hca_cap_in_bits}.
 */
public final class QueryHcaCapIn extends Layout {
    public static final QueryHcaCapIn LAYOUT = new QueryHcaCapIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: function_id is meant. */
    public static final Field OTHER_FUNCTION = LAYOUT.bit("other_function", 0x08, 31);

    public static final Field EC_VF_FUNCTION = LAYOUT.bit("ec_vf_function", 0x08, 30);

    /** 0: this function itself. */
    public static final Field FUNCTION_ID = LAYOUT.field("function_id", 0x08, 15, 0);

    private QueryHcaCapIn() {
        super("query_hca_cap_in", 0x10);
    }
}
