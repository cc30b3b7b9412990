package org.ringside.mlx5.layout;

/**
 * MAD_IFC: a management datagram to the port's own agent.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_mad_ifc_in_bits}.
 */
public final class MadIfcIn extends Layout {
    public static final MadIfcIn LAYOUT = new MadIfcIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field REMOTE_LID = LAYOUT.field("remote_lid", 0x08, 31, 16);
    public static final Field PLANE_INDEX = LAYOUT.field("plane_index", 0x08, 15, 8);
    public static final Field PORT = LAYOUT.field("port", 0x08, 7, 0);
    public static final ArrayField MAD = LAYOUT.bytes("mad", 0x10, 256);

    private MadIfcIn() {
        super("mad_ifc_in", 0x110);
    }
}
