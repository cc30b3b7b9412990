package org.ringside.mlx5.layout;

/**
 * Capability group 4: RoCE versions, UDP ports and the size of the address (GID) table.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_roce_cap_bits}.
 */
public final class RoceCap extends Layout {
    public static final RoceCap LAYOUT = new RoceCap();

    public static final Field ROCE_APM = LAYOUT.bit("roce_apm", 0x00, 31);

    /** The driver may choose the UDP source port. */
    public static final Field SW_R_ROCE_SRC_UDP_PORT =
            LAYOUT.bit("sw_r_roce_src_udp_port", 0x00, 27);

    /** Force loopback works without RoCE. */
    public static final Field FL_RC_QP_WHEN_ROCE_DISABLED =
            LAYOUT.bit("fl_rc_qp_when_roce_disabled", 0x00, 26);

    /** And with it. */
    public static final Field FL_RC_QP_WHEN_ROCE_ENABLED =
            LAYOUT.bit("fl_rc_qp_when_roce_enabled", 0x00, 25);

    public static final Field ROCE_CC_GENERAL = LAYOUT.bit("roce_cc_general", 0x00, 24);
    public static final Field QP_OOO_TRANSMIT_DEFAULT =
            LAYOUT.bit("qp_ooo_transmit_default", 0x00, 23);
    public static final Field QP_TS_FORMAT = LAYOUT.field("qp_ts_format", 0x00, 1, 0);

    /** Bit 1 IPv4, bit 2 IPv6. */
    public static final Field L3_TYPE = LAYOUT.field("l3_type", 0x10, 19, 16);

    /** Bit 0 v1, bit 2 v2. */
    public static final Field ROCE_VERSION = LAYOUT.field("roce_version", 0x10, 7, 0);

    /** 4791. */
    public static final Field R_ROCE_DEST_UDP_PORT =
            LAYOUT.field("r_roce_dest_udp_port", 0x14, 15, 0);

    public static final Field R_ROCE_MAX_SRC_UDP_PORT =
            LAYOUT.field("r_roce_max_src_udp_port", 0x18, 31, 16);
    public static final Field R_ROCE_MIN_SRC_UDP_PORT =
            LAYOUT.field("r_roce_min_src_udp_port", 0x18, 15, 0);

    /** Rows. */
    public static final Field ROCE_ADDRESS_TABLE_SIZE =
            LAYOUT.field("roce_address_table_size", 0x1c, 15, 0);

    private RoceCap() {
        super("roce_cap", 0x100);
    }
}
