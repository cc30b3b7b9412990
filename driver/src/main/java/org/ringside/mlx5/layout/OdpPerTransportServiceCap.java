package org.ringside.mlx5.layout;

/**
 * Operations of one transport that may meet a page fault.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_odp_per_transport_service_cap_bits}.
 */
public final class OdpPerTransportServiceCap extends Layout {
    public static final OdpPerTransportServiceCap LAYOUT = new OdpPerTransportServiceCap();

    public static final Field SEND = LAYOUT.bit("send", 0x00, 31);
    public static final Field RECEIVE = LAYOUT.bit("receive", 0x00, 30);
    public static final Field WRITE = LAYOUT.bit("write", 0x00, 29);
    public static final Field READ = LAYOUT.bit("read", 0x00, 28);
    public static final Field ATOMIC = LAYOUT.bit("atomic", 0x00, 27);
    public static final Field SRQ_RECEIVE = LAYOUT.bit("srq_receive", 0x00, 26);

    private OdpPerTransportServiceCap() {
        super("odp_per_transport_service_cap", 0x4);
    }
}
