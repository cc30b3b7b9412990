package org.ringside.mlx5.layout;

/**
 * ALLOC_TRANSPORT_DOMAIN's answer.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_transport_domain_out_bits}.
 */
public final class AllocTransportDomainOut extends Layout {
    public static final AllocTransportDomainOut LAYOUT = new AllocTransportDomainOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final Field TRANSPORT_DOMAIN = LAYOUT.field("transport_domain", 0x08, 23, 0);

    private AllocTransportDomainOut() {
        super("alloc_transport_domain_out", 0x10);
    }
}
