package org.ringside.mlx5.layout;

/**
 * CREATE_UMEM's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_umem_out_bits}.
 */
public final class CreateUmemOut extends Layout {
    public static final CreateUmemOut LAYOUT = new CreateUmemOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field UMEM_ID = LAYOUT.field("umem_id", 0x08, 23, 0);

    private CreateUmemOut() {
        super("create_umem_out", 0x10);
    }
}
