package org.ringside.mlx5.layout;

/**
 * Transport services: {@link Qpc#ST}.
 *
 * <p>Source: Linux qp.h {@code MLX5_QP_ST_}.
 */
public final class ServiceType {
    /** Reliable connection. */
    public static final int RC = 0x0;

    /** Unreliable connection. */
    public static final int UC = 0x1;

    /** Unreliable datagram. */
    public static final int UD = 0x2;

    /** Extended reliable connection. */
    public static final int XRC = 0x3;

    public static final int MLX = 0x4;

    /** Dynamic connection, initiator. */
    public static final int DCI = 0x5;

    /** Dynamic connection, target. */
    public static final int DCT = 0x6;

    /** Subnet management. */
    public static final int QP0 = 0x7;

    /** General services. */
    public static final int QP1 = 0x8;

    /** Raw Ethernet. */
    public static final int RAW_ETHERTYPE = 0x9;

    public static final int RAW_IPV6 = 0xa;
    public static final int SNIFFER = 0xb;

    /** UMR work requests only. */
    public static final int REG_UMR = 0xc;

    public static final int PTP_1588 = 0xd;
    public static final int SYNC_UMR = 0xe;

    private static final Names NAMES = Names.of(ServiceType.class);

    private ServiceType() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int type) {
        return NAMES.name(type);
    }
}
