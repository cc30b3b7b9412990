package org.ringside.mlx5.layout;

/**
 * ALLOC_UAR's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_uar_out_bits}.
 */
public final class AllocUarOut extends Layout {
    public static final AllocUarOut LAYOUT = new AllocUarOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** Its page is at BAR0 + uar * 4096. */
    public static final Field UAR = LAYOUT.field("uar", 0x08, 23, 0);

    private AllocUarOut() {
        super("alloc_uar_out", 0x10);
    }
}
