package org.ringside.mlx5.layout;

/**
 * QUERY_EQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_eq_out_bits}.
 */
public final class QueryEqOut extends Layout {
    public static final QueryEqOut LAYOUT = new QueryEqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField EQ_CONTEXT_ENTRY =
            LAYOUT.struct("eq_context_entry", 0x10, Eqc.LAYOUT);

    /** Bit n: EventType n. */
    public static final Field EVENT_BITMASK = LAYOUT.qword("event_bitmask", 0x58);

    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private QueryEqOut() {
        super("query_eq_out", 0x110);
    }
}
