package org.ringside.mlx5.layout;

/**
 * MODIFY_RMP: the limit, as ARM_RQ for SRQs.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_modify_rmp_in_bits}.
 */
public final class ModifyRmpIn extends Layout {
    public static final ModifyRmpIn LAYOUT = new ModifyRmpIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** The state that it is in. */
    public static final Field RMP_STATE = LAYOUT.field("rmp_state", 0x08, 31, 28);

    public static final Field RMPN = LAYOUT.field("rmpn", 0x08, 23, 0);
    public static final StructField BITMASK = LAYOUT.struct("bitmask", 0x10, RmpBitmask.LAYOUT);
    public static final StructField CTX = LAYOUT.struct("ctx", 0x20, Rmpc.LAYOUT);

    private ModifyRmpIn() {
        super("modify_rmp_in", 0x110);
    }
}
