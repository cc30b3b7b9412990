package org.ringside.mlx5.layout;

/**
 * The dwords that every answer starts with.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_out_bits}.
 */
public final class CommandOut extends Layout {
    public static final CommandOut LAYOUT = new CommandOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    private CommandOut() {
        super("cmd_out", 0x8);
    }
}
