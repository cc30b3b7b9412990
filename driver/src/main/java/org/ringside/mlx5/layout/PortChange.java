package org.ringside.mlx5.layout;

/**
 * Subtypes of {@link EventType#PORT_CHANGE}: {@link Eqe#EVENT_SUB_TYPE}.
 *
 * <p>Source: Linux device.h {@code MLX5_PORT_CHANGE_SUBTYPE_}.
 */
public final class PortChange {
    public static final int DOWN = 1;
    public static final int ACTIVE = 4;
    public static final int INITIALIZED = 5;
    public static final int LID = 6;
    public static final int PKEY = 7;
    public static final int GUID = 8;
    public static final int CLIENT_REREG = 9;

    private static final Names NAMES = Names.of(PortChange.class);

    private PortChange() {}

    /** The manual's name, or {@code ?} when it is none of these. */
    public static String name(int subtype) {
        return NAMES.name(subtype);
    }
}
