package org.ringside.mlx5.layout;

/**
 * QUERY_PAGES' answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_pages_out_bits}.
 */
public final class QueryPagesOut extends Layout {
    public static final QueryPagesOut LAYOUT = new QueryPagesOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** The ID is one of the embedded CPU's. */
    public static final Field EMBEDDED_CPU_FUNCTION = LAYOUT.bit("embedded_cpu_function", 0x08, 31);

    /** 0: this function itself. */
    public static final Field FUNCTION_ID = LAYOUT.field("function_id", 0x08, 15, 0);

    /** Signed: below 0, firmware has that many to give back. */
    public static final Field NUM_PAGES = LAYOUT.field("num_pages", 0x0c, 31, 0, Integer::toString);

    private QueryPagesOut() {
        super("query_pages_out", 0x10);
    }
}
