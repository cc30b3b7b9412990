package org.ringside.mlx5.layout;

/**
 * QUERY_HCA_VPORT_PKEY's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_hca_vport_pkey_out_bits}.
 */
public final class QueryHcaVportPkeyOut extends Layout {
    public static final QueryHcaVportPkeyOut LAYOUT = new QueryHcaVportPkeyOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField PKEY = LAYOUT.structList("pkey", 0x10, Pkey.LAYOUT);

    private QueryHcaVportPkeyOut() {
        super("query_hca_vport_pkey_out", 0x10);
    }
}
