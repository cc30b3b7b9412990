package org.ringside.mlx5.layout;

/**
 * Packets and octets of one kind.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_traffic_counter_bits}.
 */
public final class TrafficCounter extends Layout {
    public static final TrafficCounter LAYOUT = new TrafficCounter();

    public static final Field PACKETS = LAYOUT.qword("packets", 0x00);
    public static final Field OCTETS = LAYOUT.qword("octets", 0x08);

    private TrafficCounter() {
        super("traffic_counter", 0x10);
    }
}
