package org.ringside.mlx5.layout;

/**
 * Why firmware is unwell: {@link HealthBuffer#SYND}.
 *
 * <p>Source: Linux mlx5_ifc.h {@code MLX5_INITIAL_SEG_HEALTH_SYNDROME_}.
 */
public final class HealthSyndrome {
    public static final int NONE = 0x0;

    /** Firmware hit an assertion. */
    public static final int FW_INTERNAL_ERR = 0x1;

    /** An internal processor does not answer. */
    public static final int DEAD_IRISC = 0x7;

    public static final int HW_FATAL_ERR = 0x8;

    /** Firmware in flash is damaged. */
    public static final int FW_CRC_ERR = 0x9;

    /** Firmware's pages could not be read: gone, or not mapped in the IOMMU. */
    public static final int ICM_FETCH_PCI_ERR = 0xa;

    /** Firmware's pages do not hold what it wrote. */
    public static final int ICM_PAGE_ERR = 0xb;

    /** Event queue too small or not looked after. */
    public static final int ASYNCHRONOUS_EQ_BUF_OVERRUN = 0xc;

    public static final int EQ_IN_ERR = 0xd;
    public static final int EQ_INV = 0xe;
    public static final int FFSER_ERR = 0xf;
    public static final int HIGH_TEMP_ERR = 0x10;
    public static final int ICM_PCI_POISONED_ERR = 0x12;

    private static final Names NAMES = Names.of(HealthSyndrome.class);

    private HealthSyndrome() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int syndrome) {
        return NAMES.name(syndrome);
    }
}
