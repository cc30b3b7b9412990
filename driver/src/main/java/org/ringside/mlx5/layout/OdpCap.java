package org.ringside.mlx5.layout;

/**
 * Capability group 2: on-demand paging.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_odp_cap_bits}.
 */
public final class OdpCap extends Layout {
    public static final OdpCap LAYOUT = new OdpCap();

    public static final StructField TRANSPORT_PAGE_FAULT_SCHEME_CAP =
            LAYOUT.struct("transport_page_fault_scheme_cap", 0x00, OdpSchemeCap.LAYOUT);
    public static final StructField MEMORY_PAGE_FAULT_SCHEME_CAP =
            LAYOUT.struct("memory_page_fault_scheme_cap", 0x40, OdpSchemeCap.LAYOUT);
    public static final Field MEM_PAGE_FAULT = LAYOUT.bit("mem_page_fault", 0xc0, 31);

    private OdpCap() {
        super("odp_cap", 0x100);
    }
}
