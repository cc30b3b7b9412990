package org.ringside.mlx5.layout;

/**
 * DEALLOC_XRCD's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_xrcd_out_bits}.
 */
public final class DeallocXrcdOut extends Layout {
    public static final DeallocXrcdOut LAYOUT = new DeallocXrcdOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DeallocXrcdOut() {
        super("dealloc_xrcd_out", 0x10);
    }
}
