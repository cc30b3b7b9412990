package org.ringside.mlx5.layout;

/**
 * DEALLOC_Q_COUNTER.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_q_counter_in_bits}.
 */
public final class DeallocQCounterIn extends Layout {
    public static final DeallocQCounterIn LAYOUT = new DeallocQCounterIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field COUNTER_SET_ID = LAYOUT.field("counter_set_id", 0x08, 7, 0);

    private DeallocQCounterIn() {
        super("dealloc_q_counter_in", 0x10);
    }
}
