package org.ringside.mlx5.layout;

/**
 * How a memory key finds its memory: {@link Mkc#ACCESS_MODE_1_0}, and {@link Mkc#ACCESS_MODE_4_2}
 * for higher ones.
 *
 * <p>Source: Linux mlx5_ifc.h {@code MLX5_MKC_ACCESS_MODE_}.
 */
public final class MkeyAccessMode {
    /** The address is the IOVA. */
    public static final int PA = 0x0;

    /** Through a page list. */
    public static final int MTT = 0x1;

    /** Through a list of lengths and other keys. */
    public static final int KLMS = 0x2;

    /** The same with one length for all. */
    public static final int KSM = 0x3;

    public static final int SW_ICM = 0x4;

    /** The device's own memory. */
    public static final int MEMIC = 0x5;

    public static final int CROSSING = 0x6;

    private static final Names NAMES = Names.of(MkeyAccessMode.class);

    private MkeyAccessMode() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int mode) {
        return NAMES.name(mode);
    }
}
