package org.ringside.mlx5.layout;

/**
 * Which parts of the context MODIFY_NIC_VPORT_CONTEXT takes over.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_nic_vport_field_select_bits}.
 */
public final class ModifyNicVportFieldSelect extends Layout {
    public static final ModifyNicVportFieldSelect LAYOUT = new ModifyNicVportFieldSelect();

    public static final Field AFFILIATION = LAYOUT.bit("affiliation", 0x00, 13);
    public static final Field DISABLE_UC_LOCAL_LB = LAYOUT.bit("disable_uc_local_lb", 0x00, 11);
    public static final Field DISABLE_MC_LOCAL_LB = LAYOUT.bit("disable_mc_local_lb", 0x00, 10);
    public static final Field NODE_GUID = LAYOUT.bit("node_guid", 0x00, 9);
    public static final Field PORT_GUID = LAYOUT.bit("port_guid", 0x00, 8);
    public static final Field MIN_INLINE = LAYOUT.bit("min_inline", 0x00, 7);
    public static final Field MTU = LAYOUT.bit("mtu", 0x00, 6);
    public static final Field CHANGE_EVENT = LAYOUT.bit("change_event", 0x00, 5);
    public static final Field PROMISC = LAYOUT.bit("promisc", 0x00, 4);
    public static final Field PERMANENT_ADDRESS = LAYOUT.bit("permanent_address", 0x00, 3);
    public static final Field ADDRESSES_LIST = LAYOUT.bit("addresses_list", 0x00, 2);
    public static final Field ROCE_EN = LAYOUT.bit("roce_en", 0x00, 1);

    private ModifyNicVportFieldSelect() {
        super("modify_nic_vport_field_select", 0x4);
    }
}
