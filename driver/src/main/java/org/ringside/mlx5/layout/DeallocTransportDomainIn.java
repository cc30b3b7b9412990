package org.ringside.mlx5.layout;

/**
 * DEALLOC_TRANSPORT_DOMAIN.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_dealloc_transport_domain_in_bits}.
 */
public final class DeallocTransportDomainIn extends Layout {
    public static final DeallocTransportDomainIn LAYOUT = new DeallocTransportDomainIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field TRANSPORT_DOMAIN = LAYOUT.field("transport_domain", 0x08, 23, 0);

    private DeallocTransportDomainIn() {
        super("dealloc_transport_domain_in", 0x10);
    }
}
