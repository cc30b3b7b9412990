package org.ringside.mlx5.layout;

/**
 * CREATE_EQ's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_eq_out_bits}.
 */
public final class CreateEqOut extends Layout {
    public static final CreateEqOut LAYOUT = new CreateEqOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field EQ_NUMBER = LAYOUT.field("eq_number", 0x08, 7, 0);

    private CreateEqOut() {
        super("create_eq_out", 0x10);
    }
}
