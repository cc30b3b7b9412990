package org.ringside.mlx5.layout;

/**
 * What a user context may do.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_uctx_bits}.
 */
public final class Uctx extends Layout {
    public static final Uctx LAYOUT = new Uctx();

    public static final Field CAP = LAYOUT.dword("cap", 0x00);

    private Uctx() {
        super("uctx", 0x30);
    }
}
