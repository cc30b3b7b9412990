package org.ringside.mlx5.layout;

/**
 * ALLOC_Q_COUNTER: a set of counters that queues can be tied to.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_q_counter_in_bits}.
 */
public final class AllocQCounterIn extends Layout {
    public static final AllocQCounterIn LAYOUT = new AllocQCounterIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private AllocQCounterIn() {
        super("alloc_q_counter_in", 0x10);
    }
}
