package org.ringside.mlx5.layout;

/**
 * QUERY_SPECIAL_CONTEXTS' answer; each key is there when its capability says so.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_special_contexts_out_bits}.
 */
public final class QuerySpecialContextsOut extends Layout {
    public static final QuerySpecialContextsOut LAYOUT = new QuerySpecialContextsOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** Throws away what READs bring. */
    public static final Field DUMP_FILL_MKEY = LAYOUT.dword("dump_fill_mkey", 0x08);

    /** Reserved lkey: addresses are physical (IOVA). */
    public static final Field RESD_LKEY = LAYOUT.dword("resd_lkey", 0x0c);

    /** Reads zeros, swallows writes. */
    public static final Field NULL_MKEY = LAYOUT.dword("null_mkey", 0x10);

    public static final Field TERMINATE_SCATTER_LIST_MKEY =
            LAYOUT.dword("terminate_scatter_list_mkey", 0x14);
    public static final Field REPEATED_MKEY = LAYOUT.dword("repeated_mkey", 0x18);

    private QuerySpecialContextsOut() {
        super("query_special_contexts_out", 0x20);
    }
}
