package org.ringside.mlx5.layout;

/**
 * Which fields MODIFY_RMP changes.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_rmp_bitmask_bits}.
 */
public final class RmpBitmask extends Layout {
    public static final RmpBitmask LAYOUT = new RmpBitmask();

    public static final Field LWM = LAYOUT.bit("lwm", 0x04, 0);

    private RmpBitmask() {
        super("rmp_bitmask", 0x08);
    }
}
