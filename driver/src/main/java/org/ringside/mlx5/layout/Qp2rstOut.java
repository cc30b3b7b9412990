package org.ringside.mlx5.layout;

/**
 * 2RST_QP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_qp_2rst_out_bits}.
 */
public final class Qp2rstOut extends Layout {
    public static final Qp2rstOut LAYOUT = new Qp2rstOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private Qp2rstOut() {
        super("qp_2rst_out", 0x10);
    }
}
