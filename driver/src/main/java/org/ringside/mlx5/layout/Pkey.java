package org.ringside.mlx5.layout;

/**
 * A P_Key in a dword of its own.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_pkey_bits}.
 */
public final class Pkey extends Layout {
    public static final Pkey LAYOUT = new Pkey();

    public static final Field PKEY = LAYOUT.field("pkey", 0x00, 15, 0);

    private Pkey() {
        super("pkey", 0x4);
    }
}
