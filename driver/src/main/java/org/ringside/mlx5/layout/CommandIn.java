package org.ringside.mlx5.layout;

/**
 * The dwords that every command starts with. The first 16 bytes of a command lie in its queue
 * entry, the rest in mailbox blocks.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_in_bits}.
 */
public final class CommandIn extends Layout {
    public static final CommandIn LAYOUT = new CommandIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    private CommandIn() {
        super("cmd_in", 0x8);
    }
}
