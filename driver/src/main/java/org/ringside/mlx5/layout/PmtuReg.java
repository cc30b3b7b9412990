package org.ringside.mlx5.layout;

/**
 * Register 0x5003, port MTU in bytes, with the link layer's header.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_pmtu_reg_bits}.
 */
public final class PmtuReg extends Layout {
    public static final PmtuReg LAYOUT = new PmtuReg();

    public static final Field LOCAL_PORT = LAYOUT.field("local_port", 0x00, 23, 16);
    public static final Field MAX_MTU = LAYOUT.field("max_mtu", 0x04, 31, 16);
    public static final Field ADMIN_MTU = LAYOUT.field("admin_mtu", 0x08, 31, 16);
    public static final Field OPER_MTU = LAYOUT.field("oper_mtu", 0x0c, 31, 16);

    private PmtuReg() {
        super("pmtu_reg", 0x10);
    }
}
