package org.ringside.mlx5.layout;

/**
 * What a function's virtual Ethernet port is and lets in.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_nic_vport_context_bits}.
 */
public final class NicVportContext extends Layout {
    public static final NicVportContext LAYOUT = new NicVportContext();

    /** 0 none, 1 L2, 2 IP, 3 TCP/UDP. */
    public static final Field MIN_WQE_INLINE_MODE =
            LAYOUT.field("min_wqe_inline_mode", 0x00, 26, 24);

    public static final Field DISABLE_MC_LOCAL_LB = LAYOUT.bit("disable_mc_local_lb", 0x00, 2);
    public static final Field DISABLE_UC_LOCAL_LB = LAYOUT.bit("disable_uc_local_lb", 0x00, 1);

    /** 1: RoCE traffic is taken in and sent. */
    public static final Field ROCE_EN = LAYOUT.bit("roce_en", 0x00, 0);

    /** 1: one NIC_VPORT_CHANGE event at the next change. */
    public static final Field ARM_CHANGE_EVENT = LAYOUT.bit("arm_change_event", 0x04, 31);

    public static final Field EVENT_ON_MTU = LAYOUT.bit("event_on_mtu", 0x04, 4);
    public static final Field EVENT_ON_PROMISC_CHANGE =
            LAYOUT.bit("event_on_promisc_change", 0x04, 3);
    public static final Field EVENT_ON_VLAN_CHANGE = LAYOUT.bit("event_on_vlan_change", 0x04, 2);
    public static final Field EVENT_ON_MC_ADDRESS_CHANGE =
            LAYOUT.bit("event_on_mc_address_change", 0x04, 1);
    public static final Field EVENT_ON_UC_ADDRESS_CHANGE =
            LAYOUT.bit("event_on_uc_address_change", 0x04, 0);

    public static final Field VHCA_ID_TYPE = LAYOUT.bit("vhca_id_type", 0x08, 31);
    public static final Field AFFILIATION_CRITERIA =
            LAYOUT.field("affiliation_criteria", 0x08, 19, 16);
    public static final Field AFFILIATED_VHCA_ID = LAYOUT.field("affiliated_vhca_id", 0x08, 15, 0);

    public static final Field SD_GROUP = LAYOUT.field("sd_group", 0x20, 30, 28);

    /** Bytes, with the Ethernet header. */
    public static final Field MTU = LAYOUT.field("mtu", 0x24, 15, 0);

    public static final Field SYSTEM_IMAGE_GUID = LAYOUT.qword("system_image_guid", 0x28);

    public static final Field PORT_GUID = LAYOUT.qword("port_guid", 0x30);

    public static final Field NODE_GUID = LAYOUT.qword("node_guid", 0x38);

    public static final Field QKEY_VIOLATION_COUNTER =
            LAYOUT.field("qkey_violation_counter", 0x68, 31, 16);

    public static final Field PROMISC_UC = LAYOUT.bit("promisc_uc", 0xf0, 31);
    public static final Field PROMISC_MC = LAYOUT.bit("promisc_mc", 0xf0, 30);
    public static final Field PROMISC_ALL = LAYOUT.bit("promisc_all", 0xf0, 29);

    /** 0 unicast, 1 multicast, 2 VLAN. */
    public static final Field ALLOWED_LIST_TYPE = LAYOUT.field("allowed_list_type", 0xf0, 26, 24);

    /** Addresses in the list at the end. */
    public static final Field ALLOWED_LIST_SIZE = LAYOUT.field("allowed_list_size", 0xf0, 11, 0);

    public static final StructField PERMANENT_ADDRESS =
            LAYOUT.struct("permanent_address", 0xf4, MacAddressLayout.LAYOUT);

    /** MacAddressLayout each, or a VLAN. */
    public static final ArrayField CURRENT_UC_MAC_ADDRESS =
            LAYOUT.list("current_uc_mac_address", 0x100, 64);

    private NicVportContext() {
        super("nic_vport_context", 0x100);
    }
}
