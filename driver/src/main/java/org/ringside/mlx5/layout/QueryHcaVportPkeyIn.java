package org.ringside.mlx5.layout;

/**
 * QUERY_HCA_VPORT_PKEY: one P_Key, or all with index 0xffff.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_hca_vport_pkey_in_bits}.
 */
public final class QueryHcaVportPkeyIn extends Layout {
    public static final QueryHcaVportPkeyIn LAYOUT = new QueryHcaVportPkeyIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: vport_number is meant. */
    public static final Field OTHER_VPORT = LAYOUT.bit("other_vport", 0x08, 31);

    public static final Field PORT_NUM = LAYOUT.field("port_num", 0x08, 19, 16);
    public static final Field VPORT_NUMBER = LAYOUT.field("vport_number", 0x08, 15, 0);
    public static final Field PKEY_INDEX = LAYOUT.field("pkey_index", 0x0c, 15, 0);

    private QueryHcaVportPkeyIn() {
        super("query_hca_vport_pkey_in", 0x10);
    }
}
