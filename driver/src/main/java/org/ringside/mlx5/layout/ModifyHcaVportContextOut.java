package org.ringside.mlx5.layout;

/**
 * MODIFY_HCA_VPORT_CONTEXT's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_hca_vport_context_out_bits}.
 */
public final class ModifyHcaVportContextOut extends Layout {
    public static final ModifyHcaVportContextOut LAYOUT = new ModifyHcaVportContextOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private ModifyHcaVportContextOut() {
        super("modify_hca_vport_context_out", 0x10);
    }
}
