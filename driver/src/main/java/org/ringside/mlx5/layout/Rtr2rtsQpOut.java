package org.ringside.mlx5.layout;

/**
 * RTR2RTS_QP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_rtr2rts_qp_out_bits}.
 */
public final class Rtr2rtsQpOut extends Layout {
    public static final Rtr2rtsQpOut LAYOUT = new Rtr2rtsQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x0c);

    private Rtr2rtsQpOut() {
        super("rtr2rts_qp_out", 0x10);
    }
}
