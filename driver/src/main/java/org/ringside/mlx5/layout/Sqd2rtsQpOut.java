package org.ringside.mlx5.layout;

/**
 * SQD_RTS_QP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_sqd2rts_qp_out_bits}.
 */
public final class Sqd2rtsQpOut extends Layout {
    public static final Sqd2rtsQpOut LAYOUT = new Sqd2rtsQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private Sqd2rtsQpOut() {
        super("sqd2rts_qp_out", 0x10);
    }
}
