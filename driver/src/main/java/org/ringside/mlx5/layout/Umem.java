package org.ringside.mlx5.layout;

/**
 * User memory that objects name instead of pages of their own.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_umem_bits}.
 */
public final class Umem extends Layout {
    public static final Umem LAYOUT = new Umem();

    /** Addresses are the IOMMU's to translate for a process. */
    public static final Field ATS = LAYOUT.bit("ats", 0x10, 31);

    /** Log2 of a page's bytes, less 12. */
    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x10, 4, 0);

    /** Bytes from the start of the first page to the memory. */
    public static final Field PAGE_OFFSET = LAYOUT.dword("page_offset", 0x14);

    public static final Field NUM_OF_MTT = LAYOUT.qword("num_of_mtt", 0x18);
    public static final StructField MTT = LAYOUT.structList("mtt", 0x20, Mtt.LAYOUT);

    private Umem() {
        super("umem", 0x20);
    }
}
