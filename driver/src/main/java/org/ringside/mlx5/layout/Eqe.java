package org.ringside.mlx5.layout;

/**
 * An event queue entry, 64 bytes. The meaning of its data depends on the type.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_eqe_bits}.
 */
public final class Eqe extends Layout {
    public static final Eqe LAYOUT = new Eqe();

    public static final Field EVENT_TYPE =
            LAYOUT.field("event_type", 0x00, 23, 16, EventType::name);
    public static final Field EVENT_SUB_TYPE = LAYOUT.field("event_sub_type", 0x00, 7, 0);
    public static final ArrayField EVENT_DATA = LAYOUT.bytes("event_data", 0x20, 28);

    /** XOR of the entry is 0xff with it, when enabled. */
    public static final Field SIGNATURE = LAYOUT.field("signature", 0x3c, 15, 8);

    /** (index >> log2 of entries) & 1 once the device has written it; starts as 1. */
    public static final Field OWNER = LAYOUT.bit("owner", 0x3c, 0);

    private Eqe() {
        super("eqe", 0x40);
    }
}
