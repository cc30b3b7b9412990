package org.ringside.mlx5.layout;

/**
 * MANAGE_PAGES: gives 4 KiB pages to firmware, asks for some back, or says that there are none to
 * give.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_manage_pages_in_bits}.
 */
public final class ManagePagesIn extends Layout {
    public static final ManagePagesIn LAYOUT = new ManagePagesIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** The ID is one of the embedded CPU's. */
    public static final Field EMBEDDED_CPU_FUNCTION = LAYOUT.bit("embedded_cpu_function", 0x08, 31);

    /** 0: this function itself. */
    public static final Field FUNCTION_ID = LAYOUT.field("function_id", 0x08, 15, 0);

    /** Entries in the list; for a take, how many to give back. */
    public static final Field INPUT_NUM_ENTRIES = LAYOUT.dword("input_num_entries", 0x0c);

    /** Physical (IOVA) addresses, 4 KiB aligned. */
    public static final ArrayField PAS = LAYOUT.list("pas", 0x10, 64);

    private ManagePagesIn() {
        super("manage_pages_in", 0x10);
    }
}
