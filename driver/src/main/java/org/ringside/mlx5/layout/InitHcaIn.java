package org.ringside.mlx5.layout;

/**
 * INIT_HCA: starts the function with the capabilities that were set.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_init_hca_in_bits}.
 */
public final class InitHcaIn extends Layout {
    public static final InitHcaIn LAYOUT = new InitHcaIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field SW_VHCA_ID = LAYOUT.field("sw_vhca_id", 0x0c, 29, 16);

    /** Who owns it, 128 bits of the driver's choice. */
    public static final ArrayField SW_OWNER_ID = LAYOUT.array("sw_owner_id", 0x10, 32, 4);

    private InitHcaIn() {
        super("init_hca_in", 0x20);
    }
}
