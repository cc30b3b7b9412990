package org.ringside.mlx5.layout;

/**
 * Context of an event queue.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_eqc_bits}.
 */
public final class Eqc extends Layout {
    public static final Eqc LAYOUT = new Eqc();

    /** 0 ok, 0xa write failure. */
    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 28);

    /** Collapsed: all entries to slot 0. */
    public static final Field EC = LAYOUT.bit("ec", 0x00, 18);

    /** Overrun ignore. */
    public static final Field OI = LAYOUT.bit("oi", 0x00, 17);

    /** 9 armed, 10 fired. */
    public static final Field ST = LAYOUT.field("st", 0x00, 11, 8);

    /** Into the first page, in 64ths of a page. */
    public static final Field PAGE_OFFSET = LAYOUT.field("page_offset", 0x08, 11, 6);

    /** Log2 of entries. */
    public static final Field LOG_EQ_SIZE = LAYOUT.field("log_eq_size", 0x0c, 28, 24);

    public static final Field UAR_PAGE = LAYOUT.field("uar_page", 0x0c, 23, 0);

    /** MSI-X vector. */
    public static final Field INTR = LAYOUT.field("intr", 0x14, 11, 0);

    /** Log2 of the page size, less 12. */
    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x18, 28, 24);

    public static final Field CONSUMER_COUNTER = LAYOUT.field("consumer_counter", 0x28, 23, 0);

    public static final Field PRODUCER_COUNTER = LAYOUT.field("producer_counter", 0x2c, 23, 0);

    private Eqc() {
        super("eqc", 0x40);
    }
}
