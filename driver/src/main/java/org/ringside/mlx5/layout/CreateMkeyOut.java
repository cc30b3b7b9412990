package org.ringside.mlx5.layout;

/**
 * CREATE_MKEY's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_mkey_out_bits}.
 */
public final class CreateMkeyOut extends Layout {
    public static final CreateMkeyOut LAYOUT = new CreateMkeyOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** The key without its low 8 bits. */
    public static final Field MKEY_INDEX = LAYOUT.field("mkey_index", 0x08, 23, 0);

    private CreateMkeyOut() {
        super("create_mkey_out", 0x10);
    }
}
