package org.ringside.mlx5.layout;

/**
 * MANAGE_PAGES' answer: for a take, the pages that came back.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_manage_pages_out_bits}.
 */
public final class ManagePagesOut extends Layout {
    public static final ManagePagesOut LAYOUT = new ManagePagesOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** May be fewer than asked for. */
    public static final Field OUTPUT_NUM_ENTRIES = LAYOUT.dword("output_num_entries", 0x08);

    public static final ArrayField PAS = LAYOUT.list("pas", 0x10, 64);

    private ManagePagesOut() {
        super("manage_pages_out", 0x10);
    }
}
