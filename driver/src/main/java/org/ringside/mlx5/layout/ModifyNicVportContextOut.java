package org.ringside.mlx5.layout;

/**
 * MODIFY_NIC_VPORT_CONTEXT's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_nic_vport_context_out_bits}.
 */
public final class ModifyNicVportContextOut extends Layout {
    public static final ModifyNicVportContextOut LAYOUT = new ModifyNicVportContextOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private ModifyNicVportContextOut() {
        super("modify_nic_vport_context_out", 0x10);
    }
}
