package org.ringside.mlx5.layout;

/**
 * ALLOC_XRCD: an XRC domain.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_alloc_xrcd_in_bits}.
 */
public final class AllocXrcdIn extends Layout {
    public static final AllocXrcdIn LAYOUT = new AllocXrcdIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private AllocXrcdIn() {
        super("alloc_xrcd_in", 0x10);
    }
}
