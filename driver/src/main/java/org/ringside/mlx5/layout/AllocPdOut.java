package org.ringside.mlx5.layout;

/**
 * ALLOC_PD's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_pd_out_bits}.
 */
public final class AllocPdOut extends Layout {
    public static final AllocPdOut LAYOUT = new AllocPdOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field PD = LAYOUT.field("pd", 0x08, 23, 0);

    private AllocPdOut() {
        super("alloc_pd_out", 0x10);
    }
}
