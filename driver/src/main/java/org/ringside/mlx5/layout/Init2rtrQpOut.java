package org.ringside.mlx5.layout;

/**
 * INIT2RTR_QP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_init2rtr_qp_out_bits}.
 */
public final class Init2rtrQpOut extends Layout {
    public static final Init2rtrQpOut LAYOUT = new Init2rtrQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x0c);

    private Init2rtrQpOut() {
        super("init2rtr_qp_out", 0x10);
    }
}
