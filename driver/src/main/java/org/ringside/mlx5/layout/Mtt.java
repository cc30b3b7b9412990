package org.ringside.mlx5.layout;

/**
 * A page of memory, 8 bytes: address in units of 256 bytes, and what the device may do there.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_mtt_bits}.
 */
public final class Mtt extends Layout {
    public static final Mtt LAYOUT = new Mtt();

    public static final Field PTAG_63_32 = LAYOUT.dword("ptag_63_32", 0x00);
    public static final Field PTAG_31_8 = LAYOUT.field("ptag_31_8", 0x04, 31, 8);
    public static final Field WR_EN = LAYOUT.bit("wr_en", 0x04, 1);
    public static final Field RD_EN = LAYOUT.bit("rd_en", 0x04, 0);

    private Mtt() {
        super("mtt", 0x8);
    }
}
