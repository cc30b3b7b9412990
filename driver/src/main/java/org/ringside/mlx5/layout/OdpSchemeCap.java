package org.ringside.mlx5.layout;

/**
 * What one of the two page-fault schemes can do, per transport.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_odp_scheme_cap_bits}.
 */
public final class OdpSchemeCap extends Layout {
    public static final OdpSchemeCap LAYOUT = new OdpSchemeCap();

    public static final Field SIG = LAYOUT.bit("sig", 0x08, 31);
    public static final Field PAGE_PREFETCH = LAYOUT.bit("page_prefetch", 0x08, 26);
    public static final StructField RC_ODP_CAPS =
            LAYOUT.struct("rc_odp_caps", 0x10, OdpPerTransportServiceCap.LAYOUT);
    public static final StructField UC_ODP_CAPS =
            LAYOUT.struct("uc_odp_caps", 0x14, OdpPerTransportServiceCap.LAYOUT);
    public static final StructField UD_ODP_CAPS =
            LAYOUT.struct("ud_odp_caps", 0x18, OdpPerTransportServiceCap.LAYOUT);
    public static final StructField XRC_ODP_CAPS =
            LAYOUT.struct("xrc_odp_caps", 0x1c, OdpPerTransportServiceCap.LAYOUT);
    public static final StructField DC_ODP_CAPS =
            LAYOUT.struct("dc_odp_caps", 0x20, OdpPerTransportServiceCap.LAYOUT);

    private OdpSchemeCap() {
        super("odp_scheme_cap", 0x40);
    }
}
