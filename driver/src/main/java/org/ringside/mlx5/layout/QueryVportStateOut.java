package org.ringside.mlx5.layout;

/**
 * QUERY_VPORT_STATE's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_vport_state_out_bits}.
 */
public final class QueryVportStateOut extends Layout {
    public static final QueryVportStateOut LAYOUT = new QueryVportStateOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    /** 0 down, 1 up, 2 follows the port. */
    public static final Field ADMIN_STATE = LAYOUT.field("admin_state", 0x0c, 7, 4);

    /** 0 down, 1 up. */
    public static final Field STATE = LAYOUT.field("state", 0x0c, 3, 0);

    private QueryVportStateOut() {
        super("query_vport_state_out", 0x10);
    }
}
