package org.ringside.mlx5.layout;

/**
 * SQERR2RTS_QP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_sqerr2rts_qp_out_bits}.
 */
public final class Sqerr2rtsQpOut extends Layout {
    public static final Sqerr2rtsQpOut LAYOUT = new Sqerr2rtsQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private Sqerr2rtsQpOut() {
        super("sqerr2rts_qp_out", 0x10);
    }
}
