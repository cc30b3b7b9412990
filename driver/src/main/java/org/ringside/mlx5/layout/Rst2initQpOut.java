package org.ringside.mlx5.layout;

/**
 * RST2INIT_QP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_rst2init_qp_out_bits}.
 */
public final class Rst2initQpOut extends Layout {
    public static final Rst2initQpOut LAYOUT = new Rst2initQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x0c);

    private Rst2initQpOut() {
        super("rst2init_qp_out", 0x10);
    }
}
