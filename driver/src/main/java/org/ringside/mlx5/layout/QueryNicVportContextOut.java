package org.ringside.mlx5.layout;

/**
 * QUERY_NIC_VPORT_CONTEXT's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_nic_vport_context_out_bits}.
 */
public final class QueryNicVportContextOut extends Layout {
    public static final QueryNicVportContextOut LAYOUT = new QueryNicVportContextOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField NIC_VPORT_CONTEXT =
            LAYOUT.struct("nic_vport_context", 0x10, NicVportContext.LAYOUT);

    private QueryNicVportContextOut() {
        super("query_nic_vport_context_out", 0x110);
    }
}
