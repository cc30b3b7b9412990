package org.ringside.mlx5.layout;

/**
 * QUERY_HCA_VPORT_GID's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_hca_vport_gid_out_bits}.
 */
public final class QueryHcaVportGidOut extends Layout {
    public static final QueryHcaVportGidOut LAYOUT = new QueryHcaVportGidOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field GIDS_NUM = LAYOUT.field("gids_num", 0x0c, 31, 16);
    public static final StructField GID = LAYOUT.structList("gid", 0x10, Array128Auto.LAYOUT);

    private QueryHcaVportGidOut() {
        super("query_hca_vport_gid_out", 0x10);
    }
}
