package org.ringside.mlx5.layout;

/**
 * SET_ROCE_ADDRESS: writes a row of the table; zeros empty it.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_roce_address_in_bits}.
 */
public final class SetRoceAddressIn extends Layout {
    public static final SetRoceAddressIn LAYOUT = new SetRoceAddressIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** GID index. */
    public static final Field ROCE_ADDRESS_INDEX = LAYOUT.field("roce_address_index", 0x08, 31, 16);

    /** Only when CmdHcaCap.NUM_VHCA_PORTS > 0. */
    public static final Field VHCA_PORT_NUM = LAYOUT.field("vhca_port_num", 0x08, 3, 0);

    public static final StructField ROCE_ADDRESS =
            LAYOUT.struct("roce_address", 0x10, RoceAddrLayout.LAYOUT);

    private SetRoceAddressIn() {
        super("set_roce_address_in", 0x30);
    }
}
