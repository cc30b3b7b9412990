package org.ringside.mlx5.layout;

/**
 * 2ERR_QP's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_qp_2err_out_bits}.
 */
public final class Qp2errOut extends Layout {
    public static final Qp2errOut LAYOUT = new Qp2errOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private Qp2errOut() {
        super("qp_2err_out", 0x10);
    }
}
