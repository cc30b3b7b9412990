package org.ringside.mlx5.layout;

/**
 * QUERY_VPORT_COUNTER's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_vport_counter_out_bits}.
 */
public final class QueryVportCounterOut extends Layout {
    public static final QueryVportCounterOut LAYOUT = new QueryVportCounterOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField RECEIVED_ERRORS =
            LAYOUT.struct("received_errors", 0x10, TrafficCounter.LAYOUT);
    public static final StructField TRANSMIT_ERRORS =
            LAYOUT.struct("transmit_errors", 0x20, TrafficCounter.LAYOUT);
    public static final StructField RECEIVED_IB_UNICAST =
            LAYOUT.struct("received_ib_unicast", 0x30, TrafficCounter.LAYOUT);
    public static final StructField TRANSMITTED_IB_UNICAST =
            LAYOUT.struct("transmitted_ib_unicast", 0x40, TrafficCounter.LAYOUT);
    public static final StructField RECEIVED_IB_MULTICAST =
            LAYOUT.struct("received_ib_multicast", 0x50, TrafficCounter.LAYOUT);
    public static final StructField TRANSMITTED_IB_MULTICAST =
            LAYOUT.struct("transmitted_ib_multicast", 0x60, TrafficCounter.LAYOUT);
    public static final StructField RECEIVED_ETH_BROADCAST =
            LAYOUT.struct("received_eth_broadcast", 0x70, TrafficCounter.LAYOUT);
    public static final StructField TRANSMITTED_ETH_BROADCAST =
            LAYOUT.struct("transmitted_eth_broadcast", 0x80, TrafficCounter.LAYOUT);
    public static final StructField RECEIVED_ETH_UNICAST =
            LAYOUT.struct("received_eth_unicast", 0x90, TrafficCounter.LAYOUT);
    public static final StructField TRANSMITTED_ETH_UNICAST =
            LAYOUT.struct("transmitted_eth_unicast", 0xa0, TrafficCounter.LAYOUT);
    public static final StructField RECEIVED_ETH_MULTICAST =
            LAYOUT.struct("received_eth_multicast", 0xb0, TrafficCounter.LAYOUT);
    public static final StructField TRANSMITTED_ETH_MULTICAST =
            LAYOUT.struct("transmitted_eth_multicast", 0xc0, TrafficCounter.LAYOUT);
    public static final StructField LOCAL_LOOPBACK =
            LAYOUT.struct("local_loopback", 0xd0, TrafficCounter.LAYOUT);

    private QueryVportCounterOut() {
        super("query_vport_counter_out", 0x210);
    }
}
