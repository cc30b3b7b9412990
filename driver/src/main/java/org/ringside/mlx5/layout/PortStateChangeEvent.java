package org.ringside.mlx5.layout;

/**
 * Data of a PORT_CHANGE event.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_port_state_change_event_bits}.
 */
public final class PortStateChangeEvent extends Layout {
    public static final PortStateChangeEvent LAYOUT = new PortStateChangeEvent();

    /** From 1. */
    public static final Field PORT_NUM = LAYOUT.field("port_num", 0x08, 31, 28);

    private PortStateChangeEvent() {
        super("port_state_change_event", 0x1c);
    }
}
