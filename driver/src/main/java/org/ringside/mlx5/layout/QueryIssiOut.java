package org.ringside.mlx5.layout;

/**
 * QUERY_ISSI's answer. The bitmap of supported revisions is 80 bytes long, its lowest dword last.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_issi_out_bits}.
 */
public final class QueryIssiOut extends Layout {
    public static final QueryIssiOut LAYOUT = new QueryIssiOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field CURRENT_ISSI = LAYOUT.field("current_issi", 0x08, 15, 0);

    /** Bit n: ISSI n. */
    public static final Field SUPPORTED_ISSI_DW0 = LAYOUT.dword("supported_issi_dw0", 0x6c);

    private QueryIssiOut() {
        super("query_issi_out", 0x70);
    }
}
