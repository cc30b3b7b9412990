package org.ringside.mlx5.layout;

/**
 * DESTROY_UMEM's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_destroy_umem_out_bits}.
 */
public final class DestroyUmemOut extends Layout {
    public static final DestroyUmemOut LAYOUT = new DestroyUmemOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DestroyUmemOut() {
        super("destroy_umem_out", 0x10);
    }
}
