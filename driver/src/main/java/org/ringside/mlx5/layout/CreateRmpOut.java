package org.ringside.mlx5.layout;

/**
 * CREATE_RMP's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_rmp_out_bits}.
 */
public final class CreateRmpOut extends Layout {
    public static final CreateRmpOut LAYOUT = new CreateRmpOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field RMPN = LAYOUT.field("rmpn", 0x08, 23, 0);

    private CreateRmpOut() {
        super("create_rmp_out", 0x10);
    }
}
