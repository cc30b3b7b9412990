package org.ringside.mlx5.layout;

/**
 * QUERY_ROCE_ADDRESS' answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_roce_address_out_bits}.
 */
public final class QueryRoceAddressOut extends Layout {
    public static final QueryRoceAddressOut LAYOUT = new QueryRoceAddressOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField ROCE_ADDRESS =
            LAYOUT.struct("roce_address", 0x10, RoceAddrLayout.LAYOUT);

    private QueryRoceAddressOut() {
        super("query_roce_address_out", 0x30);
    }
}
