package org.ringside.mlx5.layout;

/**
 * A MAC address over two dwords.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_mac_address_layout_bits}.
 */
public final class MacAddressLayout extends Layout {
    public static final MacAddressLayout LAYOUT = new MacAddressLayout();

    public static final Field MAC_ADDR_47_32 = LAYOUT.field("mac_addr_47_32", 0x00, 15, 0);
    public static final Field MAC_ADDR_31_0 = LAYOUT.dword("mac_addr_31_0", 0x04);

    private MacAddressLayout() {
        super("mac_address_layout", 0x8);
    }
}
