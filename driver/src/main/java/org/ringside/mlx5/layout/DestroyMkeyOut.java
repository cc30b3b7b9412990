package org.ringside.mlx5.layout;

/**
 * DESTROY_MKEY's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_mkey_out_bits}.
 */
public final class DestroyMkeyOut extends Layout {
    public static final DestroyMkeyOut LAYOUT = new DestroyMkeyOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroyMkeyOut() {
        super("destroy_mkey_out", 0x10);
    }
}
