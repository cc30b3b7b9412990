package org.ringside.mlx5.layout;

/**
 * ALLOC_Q_COUNTER's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_q_counter_out_bits}.
 */
public final class AllocQCounterOut extends Layout {
    public static final AllocQCounterOut LAYOUT = new AllocQCounterOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field COUNTER_SET_ID = LAYOUT.field("counter_set_id", 0x08, 7, 0);

    private AllocQCounterOut() {
        super("alloc_q_counter_out", 0x10);
    }
}
