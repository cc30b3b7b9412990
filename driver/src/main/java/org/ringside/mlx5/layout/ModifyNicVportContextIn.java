package org.ringside.mlx5.layout;

/**
 * MODIFY_NIC_VPORT_CONTEXT: RoCE on or off, MTU, loopback, address lists.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_nic_vport_context_in_bits}.
 */
public final class ModifyNicVportContextIn extends Layout {
    public static final ModifyNicVportContextIn LAYOUT = new ModifyNicVportContextIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: vport_number is meant. */
    public static final Field OTHER_VPORT = LAYOUT.bit("other_vport", 0x08, 31);

    public static final Field VPORT_NUMBER = LAYOUT.field("vport_number", 0x08, 15, 0);
    public static final StructField FIELD_SELECT =
            LAYOUT.struct("field_select", 0x0c, ModifyNicVportFieldSelect.LAYOUT);
    public static final StructField NIC_VPORT_CONTEXT =
            LAYOUT.struct("nic_vport_context", 0x100, NicVportContext.LAYOUT);

    private ModifyNicVportContextIn() {
        super("modify_nic_vport_context_in", 0x200);
    }
}
