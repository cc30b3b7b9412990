package org.ringside.mlx5.layout;

/**
 * DEALLOC_UAR's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_uar_out_bits}.
 */
public final class DeallocUarOut extends Layout {
    public static final DeallocUarOut LAYOUT = new DeallocUarOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DeallocUarOut() {
        super("dealloc_uar_out", 0x10);
    }
}
