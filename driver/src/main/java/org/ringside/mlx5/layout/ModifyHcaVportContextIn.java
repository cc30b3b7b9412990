package org.ringside.mlx5.layout;

/**
 * MODIFY_HCA_VPORT_CONTEXT.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_hca_vport_context_in_bits}.
 */
public final class ModifyHcaVportContextIn extends Layout {
    public static final ModifyHcaVportContextIn LAYOUT = new ModifyHcaVportContextIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: vport_number is meant. */
    public static final Field OTHER_VPORT = LAYOUT.bit("other_vport", 0x08, 31);

    public static final Field PORT_NUM = LAYOUT.field("port_num", 0x08, 19, 16);
    public static final Field VPORT_NUMBER = LAYOUT.field("vport_number", 0x08, 15, 0);
    public static final StructField HCA_VPORT_CONTEXT =
            LAYOUT.struct("hca_vport_context", 0x10, HcaVportContext.LAYOUT);

    private ModifyHcaVportContextIn() {
        super("modify_hca_vport_context_in", 0x210);
    }
}
