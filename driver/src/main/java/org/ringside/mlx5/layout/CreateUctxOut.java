package org.ringside.mlx5.layout;

/**
 * CREATE_UCTX's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_uctx_out_bits}.
 */
public final class CreateUctxOut extends Layout {
    public static final CreateUctxOut LAYOUT = new CreateUctxOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field UID = LAYOUT.field("uid", 0x08, 15, 0);

    private CreateUctxOut() {
        super("create_uctx_out", 0x10);
    }
}
