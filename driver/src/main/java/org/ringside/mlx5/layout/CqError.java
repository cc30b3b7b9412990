package org.ringside.mlx5.layout;

/**
 * Data of a CQ_ERROR event.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cq_error_bits}.
 */
public final class CqError extends Layout {
    public static final CqError LAYOUT = new CqError();

    public static final Field CQN = LAYOUT.field("cqn", 0x00, 23, 0);

    /** 1 overrun, 2 access violation. */
    public static final Field SYNDROME = LAYOUT.field("syndrome", 0x08, 7, 0);

    private CqError() {
        super("cq_error", 0x1c);
    }
}
