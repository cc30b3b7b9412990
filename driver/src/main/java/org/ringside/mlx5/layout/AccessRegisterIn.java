package org.ringside.mlx5.layout;

/**
 * ACCESS_REG: reads or writes one of the port and management registers.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_access_register_in_bits}.
 */
public final class AccessRegisterIn extends Layout {
    public static final AccessRegisterIn LAYOUT = new AccessRegisterIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);

    /** 0 write, 1 read. */
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final Field REGISTER_ID =
            LAYOUT.field("register_id", 0x08, 15, 0, Register::name);
    public static final Field ARGUMENT = LAYOUT.dword("argument", 0x0c);
    public static final ArrayField REGISTER_DATA = LAYOUT.list("register_data", 0x10, 32);

    private AccessRegisterIn() {
        super("access_register_in", 0x10);
    }
}
