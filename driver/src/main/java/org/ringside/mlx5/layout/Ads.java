package org.ringside.mlx5.layout;

/**
 * Address path of a QP: where its packets go and by which way. RoCE uses MAC, GID index, hop limit,
 * traffic class and UDP port; InfiniBand LID, SL and GRH.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_ads_bits}.
 */
public final class Ads extends Layout {
    public static final Ads LAYOUT = new Ads();

    /** Force loopback: to this device itself, path ignored. */
    public static final Field FL = LAYOUT.bit("fl", 0x00, 31);

    public static final Field FREE_AR = LAYOUT.bit("free_ar", 0x00, 30);

    /** Row of the P_Key table. */
    public static final Field PKEY_INDEX = LAYOUT.field("pkey_index", 0x00, 15, 0);

    public static final Field PLANE_INDEX = LAYOUT.field("plane_index", 0x04, 31, 24);

    /** 1 for RoCE and for global routes. */
    public static final Field GRH = LAYOUT.bit("grh", 0x04, 23);

    /** Path bits of the own LID. */
    public static final Field MLID = LAYOUT.field("mlid", 0x04, 22, 16);

    /** Peer's LID. */
    public static final Field RLID = LAYOUT.field("rlid", 0x04, 15, 0);

    /** 4.096 us * 2^n; 0 waits for ever. */
    public static final Field ACK_TIMEOUT = LAYOUT.field("ack_timeout", 0x08, 31, 27);

    /** Row of the GID table. */
    public static final Field SRC_ADDR_INDEX = LAYOUT.field("src_addr_index", 0x08, 23, 16);

    /** 0: full port rate. */
    public static final Field STAT_RATE = LAYOUT.field("stat_rate", 0x08, 11, 8);

    public static final Field HOP_LIMIT = LAYOUT.field("hop_limit", 0x08, 7, 0);

    /** IP type of service. */
    public static final Field TCLASS = LAYOUT.field("tclass", 0x0c, 27, 20);

    public static final Field FLOW_LABEL = LAYOUT.field("flow_label", 0x0c, 19, 0);

    /** Peer's GID; IPv4 as ::ffff:a.b.c.d. */
    public static final ArrayField RGID_RIP = LAYOUT.bytes("rgid_rip", 0x10, 16);

    /** Take the field, not tclass. */
    public static final Field F_DSCP = LAYOUT.bit("f_dscp", 0x20, 27);

    /** Take the field, not tclass. */
    public static final Field F_ECN = LAYOUT.bit("f_ecn", 0x20, 26);

    /** Take the field, not sl. */
    public static final Field F_ETH_PRIO = LAYOUT.bit("f_eth_prio", 0x20, 24);

    public static final Field ECN = LAYOUT.field("ecn", 0x20, 23, 22);
    public static final Field DSCP = LAYOUT.field("dscp", 0x20, 21, 16);

    /** Source port of RoCEv2. */
    public static final Field UDP_SPORT = LAYOUT.field("udp_sport", 0x20, 15, 0);

    public static final Field DEI_CFI = LAYOUT.bit("dei_cfi", 0x24, 31);
    public static final Field ETH_PRIO = LAYOUT.field("eth_prio", 0x24, 30, 28);
    public static final Field SL = LAYOUT.field("sl", 0x24, 27, 24);

    /** From 1. */
    public static final Field VHCA_PORT_NUM = LAYOUT.field("vhca_port_num", 0x24, 23, 16);

    /** Peer's MAC. */
    public static final Field RMAC_47_32 = LAYOUT.field("rmac_47_32", 0x24, 15, 0);

    public static final Field RMAC_31_0 = LAYOUT.dword("rmac_31_0", 0x28);

    private Ads() {
        super("ads", 0x2c);
    }
}
