package org.ringside.mlx5.layout;

/**
 * Register 0x5006, port administrative and operational status.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_paos_reg_bits}.
 */
public final class PaosReg extends Layout {
    public static final PaosReg LAYOUT = new PaosReg();

    public static final Field SWID = LAYOUT.field("swid", 0x00, 31, 24);
    public static final Field LOCAL_PORT = LAYOUT.field("local_port", 0x00, 23, 16);

    /** 1 up, 2 down by configuration, 3 up once, 4 disabled by system. */
    public static final Field ADMIN_STATUS = LAYOUT.field("admin_status", 0x00, 11, 8);

    /** 1 up, 2 down, 4 down by port failure. */
    public static final Field OPER_STATUS = LAYOUT.field("oper_status", 0x00, 3, 0);

    /** Admin_status counts in a write. */
    public static final Field ASE = LAYOUT.bit("ase", 0x04, 31);

    /** E counts in a write. */
    public static final Field EE = LAYOUT.bit("ee", 0x04, 30);

    /** Events: 0 none, 1 each change, 2 one. */
    public static final Field E = LAYOUT.field("e", 0x04, 1, 0);

    private PaosReg() {
        super("paos_reg", 0x10);
    }
}
