package org.ringside.mlx5.layout;

/**
 * QUERY_Q_COUNTER: reads a set, and may clear it.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_q_counter_in_bits}.
 */
public final class QueryQCounterIn extends Layout {
    public static final QueryQCounterIn LAYOUT = new QueryQCounterIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: vport_number is meant. */
    public static final Field OTHER_VPORT = LAYOUT.bit("other_vport", 0x08, 31);

    public static final Field VPORT_NUMBER = LAYOUT.field("vport_number", 0x08, 15, 0);

    /** 1: zero them after the read. */
    public static final Field CLEAR = LAYOUT.bit("clear", 0x18, 31);

    public static final Field AGGREGATE = LAYOUT.bit("aggregate", 0x18, 30);
    public static final Field COUNTER_SET_ID = LAYOUT.field("counter_set_id", 0x1c, 7, 0);

    private QueryQCounterIn() {
        super("query_q_counter_in", 0x20);
    }
}
