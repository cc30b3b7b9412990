package org.ringside.mlx5.layout;

/**
 * One row of the RoCE address table: GID, MAC, VLAN and RoCE version.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_roce_addr_layout_bits}.
 */
public final class RoceAddrLayout extends Layout {
    public static final RoceAddrLayout LAYOUT = new RoceAddrLayout();

    /** GID; IPv4 as ::ffff:a.b.c.d. */
    public static final ArrayField SOURCE_L3_ADDRESS = LAYOUT.bytes("source_l3_address", 0x00, 16);

    public static final Field VLAN_VALID = LAYOUT.bit("vlan_valid", 0x10, 28);
    public static final Field VLAN_ID = LAYOUT.field("vlan_id", 0x10, 27, 16);
    public static final Field SOURCE_MAC_47_32 = LAYOUT.field("source_mac_47_32", 0x10, 15, 0);
    public static final Field SOURCE_MAC_31_0 = LAYOUT.dword("source_mac_31_0", 0x14);

    /** 0 IPv4, 1 IPv6. */
    public static final Field ROCE_L3_TYPE = LAYOUT.field("roce_l3_type", 0x18, 11, 8);

    /** 0: RoCE v1, 2: RoCE v2. */
    public static final Field ROCE_VERSION = LAYOUT.field("roce_version", 0x18, 7, 0);

    private RoceAddrLayout() {
        super("roce_addr_layout", 0x20);
    }
}
