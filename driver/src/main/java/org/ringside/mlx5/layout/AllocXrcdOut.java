package org.ringside.mlx5.layout;

/**
 * ALLOC_XRCD's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_xrcd_out_bits}.
 */
public final class AllocXrcdOut extends Layout {
    public static final AllocXrcdOut LAYOUT = new AllocXrcdOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field XRCD = LAYOUT.field("xrcd", 0x08, 23, 0);

    private AllocXrcdOut() {
        super("alloc_xrcd_out", 0x10);
    }
}
