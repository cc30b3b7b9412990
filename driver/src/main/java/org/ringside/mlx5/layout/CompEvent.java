package org.ringside.mlx5.layout;

/**
 * Data of a COMP event: the CQ that has CQEs.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_comp_event_bits}.
 */
public final class CompEvent extends Layout {
    public static final CompEvent LAYOUT = new CompEvent();

    public static final Field CQ_NUMBER = LAYOUT.field("cq_number", 0x18, 23, 0);

    private CompEvent() {
        super("comp_event", 0x1c);
    }
}
