package org.ringside.mlx5.layout;

/**
 * Data of a CMD event: which command slots are complete.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_cmd_inter_comp_event_bits}.
 */
public final class CmdInterCompEvent extends Layout {
    public static final CmdInterCompEvent LAYOUT = new CmdInterCompEvent();

    /** Bit n: slot n. */
    public static final Field COMMAND_COMPLETION_VECTOR =
            LAYOUT.dword("command_completion_vector", 0x00);

    private CmdInterCompEvent() {
        super("cmd_inter_comp_event", 0x1c);
    }
}
