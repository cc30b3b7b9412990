package org.ringside.mlx5.layout;

/**
 * QUERY_HCA_CAP's answer: one 4 KiB capability block, whose layout depends on the group asked for.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_hca_cap_out_bits}.
 */
public final class QueryHcaCapOut extends Layout {
    public static final QueryHcaCapOut LAYOUT = new QueryHcaCapOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final ArrayField CAPABILITY = LAYOUT.bytes("capability", 0x10, 4096);

    private QueryHcaCapOut() {
        super("query_hca_cap_out", 0x1010);
    }
}
