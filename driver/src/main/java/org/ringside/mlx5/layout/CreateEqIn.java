package org.ringside.mlx5.layout;

/**
 * CREATE_EQ: context, the events that go there, and its pages.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_eq_in_bits}.
 */
public final class CreateEqIn extends Layout {
    public static final CreateEqIn LAYOUT = new CreateEqIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    public static final StructField EQ_CONTEXT_ENTRY =
            LAYOUT.struct("eq_context_entry", 0x10, Eqc.LAYOUT);

    /** Bit n of the first: EventType n. */
    public static final ArrayField EVENT_BITMASK = LAYOUT.array("event_bitmask", 0x58, 64, 4);

    /** Pages of 4 KiB shifted by log_page_size. */
    public static final ArrayField PAS = LAYOUT.list("pas", 0x110, 64);

    private CreateEqIn() {
        super("create_eq_in", 0x110);
    }
}
