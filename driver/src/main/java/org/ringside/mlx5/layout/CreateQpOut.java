package org.ringside.mlx5.layout;

/**
 * CREATE_QP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_qp_out_bits}.
 */
public final class CreateQpOut extends Layout {
    public static final CreateQpOut LAYOUT = new CreateQpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);

    /** Enhanced connection establishment word, passed between peers. */
    public static final Field ECE = LAYOUT.dword("ece", 0x0c);

    private CreateQpOut() {
        super("create_qp_out", 0x10);
    }
}
