package org.ringside.mlx5.layout;

/**
 * QUERY_VPORT_STATE.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_vport_state_in_bits}.
 */
public final class QueryVportStateIn extends Layout {
    public static final QueryVportStateIn LAYOUT = new QueryVportStateIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: vport_number is meant. */
    public static final Field OTHER_VPORT = LAYOUT.bit("other_vport", 0x08, 31);

    public static final Field VPORT_NUMBER = LAYOUT.field("vport_number", 0x08, 15, 0);

    private QueryVportStateIn() {
        super("query_vport_state_in", 0x10);
    }
}
