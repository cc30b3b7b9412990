package org.ringside.mlx5.layout;

/**
 * SET_HCA_CAP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_set_hca_cap_out_bits}.
 */
public final class SetHcaCapOut extends Layout {
    public static final SetHcaCapOut LAYOUT = new SetHcaCapOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private SetHcaCapOut() {
        super("set_hca_cap_out", 0x10);
    }
}
