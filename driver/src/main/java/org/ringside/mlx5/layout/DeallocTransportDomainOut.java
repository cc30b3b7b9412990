package org.ringside.mlx5.layout;

/**
 * DEALLOC_TRANSPORT_DOMAIN's answer: status alone.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_transport_domain_out_bits}.
 */
public final class DeallocTransportDomainOut extends Layout {
    public static final DeallocTransportDomainOut LAYOUT = new DeallocTransportDomainOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private DeallocTransportDomainOut() {
        super("dealloc_transport_domain_out", 0x10);
    }
}
