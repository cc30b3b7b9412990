package org.ringside.mlx5.layout;

/**
 * What went wrong, in the dword at 0x34 of an error CQE.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cqe_error_syndrome_bits}.
 */
public final class CqeErrorSyndrome extends Layout {
    public static final CqeErrorSyndrome LAYOUT = new CqeErrorSyndrome();

    public static final Field HW_ERROR_SYNDROME = LAYOUT.field("hw_error_syndrome", 0x00, 31, 24);
    public static final Field HW_SYNDROME_TYPE = LAYOUT.field("hw_syndrome_type", 0x00, 23, 20);
    public static final Field VENDOR_ERROR_SYNDROME =
            LAYOUT.field("vendor_error_syndrome", 0x00, 15, 8);
    public static final Field SYNDROME = LAYOUT.field("syndrome", 0x00, 7, 0, CqeSyndrome::name);

    private CqeErrorSyndrome() {
        super("cqe_error_syndrome", 0x4);
    }
}
