package org.ringside.mlx5.layout;

/**
 * DETACH_FROM_MCG's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_detach_from_mcg_out_bits}.
 */
public final class DetachFromMcgOut extends Layout {
    public static final DetachFromMcgOut LAYOUT = new DetachFromMcgOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DetachFromMcgOut() {
        super("detach_from_mcg_out", 0x10);
    }
}
