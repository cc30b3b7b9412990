package org.ringside.mlx5.layout;

/**
 * What MANAGE_PAGES is to do: its op_mod.
 *
 * <p>Source: Adapters PRM, MANAGE_PAGES; Linux pagealloc.c.
 */
public final class ManagePagesOp {
    /** The host has none; answers a page request. */
    public static final int CANNOT_GIVE = 0;

    /** The list holds pages for firmware. */
    public static final int GIVE = 1;

    /** Firmware answers with a list of pages that it no longer uses. */
    public static final int TAKE = 2;

    private static final Names NAMES = Names.of(ManagePagesOp.class);

    private ManagePagesOp() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int opMod) {
        return NAMES.name(opMod);
    }
}
