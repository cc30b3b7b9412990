package org.ringside.mlx5.layout;

/**
 * Stages that firmware needs pages for: op_mod of QUERY_PAGES.
 *
 * <p>Source: Adapters PRM, QUERY_PAGES; Linux pagealloc.c.
 */
public final class QueryPagesStage {
    /** Before capabilities are set. */
    public static final int BOOT = 1;

    /** Before INIT_HCA. */
    public static final int INIT = 2;

    /** While it runs; negative when firmware has pages to give back. */
    public static final int REGULAR = 3;

    private static final Names NAMES = Names.of(QueryPagesStage.class);

    private QueryPagesStage() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int opMod) {
        return NAMES.name(opMod);
    }
}
