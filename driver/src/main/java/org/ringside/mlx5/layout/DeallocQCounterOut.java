package org.ringside.mlx5.layout;

/**
 * DEALLOC_Q_COUNTER's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_q_counter_out_bits}.
 */
public final class DeallocQCounterOut extends Layout {
    public static final DeallocQCounterOut LAYOUT = new DeallocQCounterOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DeallocQCounterOut() {
        super("dealloc_q_counter_out", 0x10);
    }
}
