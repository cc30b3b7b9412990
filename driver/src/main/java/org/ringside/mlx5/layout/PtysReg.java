package org.ringside.mlx5.layout;

/**
 * Register 0x5004, port type and speed: bit masks of the link modes that it can, may and does run.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_ptys_reg_bits}.
 */
public final class PtysReg extends Layout {
    public static final PtysReg LAYOUT = new PtysReg();

    public static final Field AN_DISABLE_ADMIN = LAYOUT.bit("an_disable_admin", 0x00, 30);
    public static final Field AN_DISABLE_CAP = LAYOUT.bit("an_disable_cap", 0x00, 29);
    public static final Field LOCAL_PORT = LAYOUT.field("local_port", 0x00, 23, 16);
    public static final Field PLANE_IND = LAYOUT.field("plane_ind", 0x00, 7, 4);

    /** Bit 0 InfiniBand, bit 2 Ethernet. */
    public static final Field PROTO_MASK = LAYOUT.field("proto_mask", 0x00, 2, 0);

    public static final Field AN_STATUS = LAYOUT.field("an_status", 0x04, 31, 28);
    public static final Field DATA_RATE_OPER = LAYOUT.field("data_rate_oper", 0x04, 15, 0);

    public static final Field EXT_ETH_PROTO_CAPABILITY =
            LAYOUT.dword("ext_eth_proto_capability", 0x08);

    public static final Field ETH_PROTO_CAPABILITY = LAYOUT.dword("eth_proto_capability", 0x0c);

    public static final Field IB_LINK_WIDTH_CAPABILITY =
            LAYOUT.field("ib_link_width_capability", 0x10, 31, 16);
    public static final Field IB_PROTO_CAPABILITY =
            LAYOUT.field("ib_proto_capability", 0x10, 15, 0);

    public static final Field EXT_ETH_PROTO_ADMIN = LAYOUT.dword("ext_eth_proto_admin", 0x14);

    public static final Field ETH_PROTO_ADMIN = LAYOUT.dword("eth_proto_admin", 0x18);

    public static final Field IB_LINK_WIDTH_ADMIN =
            LAYOUT.field("ib_link_width_admin", 0x1c, 31, 16);
    public static final Field IB_PROTO_ADMIN = LAYOUT.field("ib_proto_admin", 0x1c, 15, 0);

    public static final Field EXT_ETH_PROTO_OPER = LAYOUT.dword("ext_eth_proto_oper", 0x20);

    public static final Field ETH_PROTO_OPER = LAYOUT.dword("eth_proto_oper", 0x24);

    public static final Field IB_LINK_WIDTH_OPER = LAYOUT.field("ib_link_width_oper", 0x28, 31, 16);
    public static final Field IB_PROTO_OPER = LAYOUT.field("ib_proto_oper", 0x28, 15, 0);

    public static final Field CONNECTOR_TYPE = LAYOUT.field("connector_type", 0x2c, 3, 0);

    public static final Field ETH_PROTO_LP_ADVERTISE = LAYOUT.dword("eth_proto_lp_advertise", 0x30);

    private PtysReg() {
        super("ptys_reg", 0x40);
    }
}
