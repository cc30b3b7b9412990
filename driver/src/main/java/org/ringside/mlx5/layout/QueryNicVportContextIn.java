package org.ringside.mlx5.layout;

/**
 * QUERY_NIC_VPORT_CONTEXT.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_nic_vport_context_in_bits}.
 */
public final class QueryNicVportContextIn extends Layout {
    public static final QueryNicVportContextIn LAYOUT = new QueryNicVportContextIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: vport_number is meant. */
    public static final Field OTHER_VPORT = LAYOUT.bit("other_vport", 0x08, 31);

    public static final Field VPORT_NUMBER = LAYOUT.field("vport_number", 0x08, 15, 0);
    public static final Field ALLOWED_LIST_TYPE = LAYOUT.field("allowed_list_type", 0x0c, 26, 24);

    private QueryNicVportContextIn() {
        super("query_nic_vport_context_in", 0x10);
    }
}
