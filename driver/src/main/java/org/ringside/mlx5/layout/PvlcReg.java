package org.ringside.mlx5.layout;

/**
 * Register 0x500f, virtual lanes of an InfiniBand port. Each number is the count of data lanes; 15
 * stands for VL0 to VL14.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_pvlc_reg_bits}.
 */
public final class PvlcReg extends Layout {
    public static final PvlcReg LAYOUT = new PvlcReg();

    public static final Field LOCAL_PORT = LAYOUT.field("local_port", 0x00, 23, 16);
    public static final Field VL_HW_CAP = LAYOUT.field("vl_hw_cap", 0x04, 3, 0);
    public static final Field VL_ADMIN = LAYOUT.field("vl_admin", 0x08, 3, 0);
    public static final Field VL_OPERATIONAL = LAYOUT.field("vl_operational", 0x0c, 3, 0);

    private PvlcReg() {
        super("pvlc_reg", 0x10);
    }
}
