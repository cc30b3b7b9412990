package org.ringside.mlx5.layout;

/**
 * What a function's virtual InfiniBand port is: GUIDs, LIDs, state.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_hca_vport_context_bits}.
 */
public final class HcaVportContext extends Layout {
    public static final HcaVportContext LAYOUT = new HcaVportContext();

    public static final Field FIELD_SELECT = LAYOUT.dword("field_select", 0x00);

    public static final Field SM_VIRT_AWARE = LAYOUT.bit("sm_virt_aware", 0x20, 31);
    public static final Field HAS_SMI = LAYOUT.bit("has_smi", 0x20, 30);
    public static final Field HAS_RAW = LAYOUT.bit("has_raw", 0x20, 29);
    public static final Field GRH_REQUIRED = LAYOUT.bit("grh_required", 0x20, 28);
    public static final Field NUM_PORT_PLANE = LAYOUT.field("num_port_plane", 0x20, 23, 16);

    /** IBTA: 5 link up. */
    public static final Field PORT_PHYSICAL_STATE =
            LAYOUT.field("port_physical_state", 0x20, 15, 12);

    public static final Field VPORT_STATE_POLICY = LAYOUT.field("vport_state_policy", 0x20, 11, 8);

    /** IBTA: 1 down, 2 init, 3 armed, 4 active. */
    public static final Field PORT_STATE = LAYOUT.field("port_state", 0x20, 7, 4);

    /** IBTA: 1 down, 2 init, 3 armed, 4 active. */
    public static final Field VPORT_STATE = LAYOUT.field("vport_state", 0x20, 3, 0);

    public static final Field SYSTEM_IMAGE_GUID = LAYOUT.qword("system_image_guid", 0x28);

    public static final Field PORT_GUID = LAYOUT.qword("port_guid", 0x30);

    public static final Field NODE_GUID = LAYOUT.qword("node_guid", 0x38);

    public static final Field CAP_MASK1 = LAYOUT.dword("cap_mask1", 0x40);

    public static final Field CAP_MASK1_FIELD_SELECT = LAYOUT.dword("cap_mask1_field_select", 0x44);

    public static final Field CAP_MASK2 = LAYOUT.dword("cap_mask2", 0x48);

    public static final Field CAP_MASK2_FIELD_SELECT = LAYOUT.dword("cap_mask2_field_select", 0x4c);

    public static final Field LID = LAYOUT.field("lid", 0x60, 31, 16);
    public static final Field INIT_TYPE_REPLY = LAYOUT.field("init_type_reply", 0x60, 11, 8);

    /** Low LID bits free for path bits. */
    public static final Field LMC = LAYOUT.field("lmc", 0x60, 7, 5);

    public static final Field SUBNET_TIMEOUT = LAYOUT.field("subnet_timeout", 0x60, 4, 0);

    public static final Field SM_LID = LAYOUT.field("sm_lid", 0x64, 31, 16);
    public static final Field SM_SL = LAYOUT.field("sm_sl", 0x64, 15, 12);

    public static final Field QKEY_VIOLATION_COUNTER =
            LAYOUT.field("qkey_violation_counter", 0x68, 31, 16);
    public static final Field PKEY_VIOLATION_COUNTER =
            LAYOUT.field("pkey_violation_counter", 0x68, 15, 0);

    private HcaVportContext() {
        super("hca_vport_context", 0x200);
    }
}
