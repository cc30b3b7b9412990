package org.ringside.mlx5.layout;

/**
 * MODIFY_RMP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_rmp_out_bits}.
 */
public final class ModifyRmpOut extends Layout {
    public static final ModifyRmpOut LAYOUT = new ModifyRmpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private ModifyRmpOut() {
        super("modify_rmp_out", 0x10);
    }
}
