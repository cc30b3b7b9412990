package org.ringside.mlx5.layout;

/**
 * QUERY_HCA_VPORT_CONTEXT's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_hca_vport_context_out_bits}.
 */
public final class QueryHcaVportContextOut extends Layout {
    public static final QueryHcaVportContextOut LAYOUT = new QueryHcaVportContextOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField HCA_VPORT_CONTEXT =
            LAYOUT.struct("hca_vport_context", 0x10, HcaVportContext.LAYOUT);

    private QueryHcaVportContextOut() {
        super("query_hca_vport_context_out", 0x210);
    }
}
