package org.ringside.mlx5.layout;

/**
 * ALLOC_TRANSPORT_DOMAIN: the isolation domain of raw Ethernet queues.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_transport_domain_in_bits}.
 */
public final class AllocTransportDomainIn extends Layout {
    public static final AllocTransportDomainIn LAYOUT = new AllocTransportDomainIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private AllocTransportDomainIn() {
        super("alloc_transport_domain_in", 0x10);
    }
}
