package org.ringside.mlx5.layout;

/**
 * Data of a PAGE_REQUEST event.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_pages_req_event_bits}.
 */
public final class PagesReqEvent extends Layout {
    public static final PagesReqEvent LAYOUT = new PagesReqEvent();

    /** Bit 0: the function is the embedded CPU's. */
    public static final Field EC_FUNCTION = LAYOUT.field("ec_function", 0x00, 31, 16);

    /** 0: this function itself. */
    public static final Field FUNCTION_ID = LAYOUT.field("function_id", 0x00, 15, 0);

    /** Signed: above 0, give so many; below 0, take so many back. */
    public static final Field NUM_PAGES = LAYOUT.field("num_pages", 0x04, 31, 0, Integer::toString);

    private PagesReqEvent() {
        super("pages_req_event", 0x1c);
    }
}
