package org.ringside.mlx5.layout;

/**
 * MODIFY_CQ's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_cq_out_bits}.
 */
public final class ModifyCqOut extends Layout {
    public static final ModifyCqOut LAYOUT = new ModifyCqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private ModifyCqOut() {
        super("modify_cq_out", 0x10);
    }
}
