package org.ringside.mlx5.layout;

/**
 * Groups of capabilities: op_mod of QUERY_HCA_CAP and SET_HCA_CAP without its lowest bit.
 *
 * <p>Source: Linux device.h, {@code enum mlx5_cap_type}.
 */
public final class CapabilityGroup {
    /** {@link CmdHcaCap}. */
    public static final int GENERAL = 0x0;

    public static final int ETHERNET_OFFLOADS = 0x1;

    /** {@link OdpCap}. */
    public static final int ODP = 0x2;

    /** {@link AtomicCaps}. */
    public static final int ATOMIC = 0x3;

    /** {@link RoceCap}. */
    public static final int ROCE = 0x4;

    public static final int IPOIB_OFFLOADS = 0x5;
    public static final int IPOIB_ENHANCED_OFFLOADS = 0x6;
    public static final int FLOW_TABLE = 0x7;
    public static final int ESWITCH_FLOW_TABLE = 0x8;
    public static final int ESWITCH = 0x9;
    public static final int QOS = 0xc;
    public static final int DEBUG = 0xd;
    public static final int DEVICE_MEMORY = 0xf;
    public static final int TLS = 0x11;
    public static final int VIRTIO_EMULATION = 0x13;
    public static final int DEVICE_EVENT = 0x14;
    public static final int IPSEC = 0x15;
    public static final int CRYPTO = 0x1a;
    public static final int MACSEC = 0x1f;

    /** {@link CmdHcaCap2}. */
    public static final int GENERAL_2 = 0x20;

    public static final int PORT_SELECTION = 0x25;
    public static final int ADV_VIRTUALIZATION = 0x26;

    private static final Names NAMES = Names.of(CapabilityGroup.class);

    private CapabilityGroup() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int group) {
        return NAMES.name(group);
    }

    /** The op_mod that asks for values in force now. */
    public static int queryCurrent(int group) {
        return group << 1 | 1;
    }

    /** The op_mod that asks for what is possible. */
    public static int queryMaximum(int group) {
        return group << 1;
    }

    /** The op_mod of SET_HCA_CAP. */
    public static int set(int group) {
        return group << 1;
    }
}
