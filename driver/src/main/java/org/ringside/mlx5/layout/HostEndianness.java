package org.ringside.mlx5.layout;

/**
 * Register 0x7004: the byte order in which the host reads what devices leave to its taste.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_register_host_endianness_bits}.
 */
public final class HostEndianness extends Layout {
    public static final HostEndianness LAYOUT = new HostEndianness();

    /** 1: big endian. */
    public static final Field HE = LAYOUT.bit("he", 0x00, 31);

    private HostEndianness() {
        super("register_host_endianness", 0x10);
    }
}
