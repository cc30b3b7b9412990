package org.ringside.mlx5.layout;

/**
 * ATTACH_TO_MCG: a datagram QP hears a multicast group.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_attach_to_mcg_in_bits}.
 */
public final class AttachToMcgIn extends Layout {
    public static final AttachToMcgIn LAYOUT = new AttachToMcgIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);
    public static final Field QPN = LAYOUT.field("qpn", 0x08, 23, 0);
    public static final ArrayField MULTICAST_GID = LAYOUT.bytes("multicast_gid", 0x10, 16);

    private AttachToMcgIn() {
        super("attach_to_mcg_in", 0x20);
    }
}
