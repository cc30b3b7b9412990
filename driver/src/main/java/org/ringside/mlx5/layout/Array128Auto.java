package org.ringside.mlx5.layout;

/**
 * A GID.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_array128_auto_bits}.
 */
public final class Array128Auto extends Layout {
    public static final Array128Auto LAYOUT = new Array128Auto();

    public static final ArrayField ARRAY128_AUTO = LAYOUT.bytes("array128_auto", 0x00, 16);

    private Array128Auto() {
        super("array128_auto", 0x10);
    }
}
