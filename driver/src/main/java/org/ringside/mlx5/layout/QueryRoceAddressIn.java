package org.ringside.mlx5.layout;

/**
 * QUERY_ROCE_ADDRESS.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_roce_address_in_bits}.
 */
public final class QueryRoceAddressIn extends Layout {
    public static final QueryRoceAddressIn LAYOUT = new QueryRoceAddressIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field ROCE_ADDRESS_INDEX = LAYOUT.field("roce_address_index", 0x08, 31, 16);
    public static final Field VHCA_PORT_NUM = LAYOUT.field("vhca_port_num", 0x08, 3, 0);

    private QueryRoceAddressIn() {
        super("query_roce_address_in", 0x10);
    }
}
