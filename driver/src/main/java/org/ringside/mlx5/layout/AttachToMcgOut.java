package org.ringside.mlx5.layout;

/**
 * ATTACH_TO_MCG's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_attach_to_mcg_out_bits}.
 */
public final class AttachToMcgOut extends Layout {
    public static final AttachToMcgOut LAYOUT = new AttachToMcgOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private AttachToMcgOut() {
        super("attach_to_mcg_out", 0x10);
    }
}
