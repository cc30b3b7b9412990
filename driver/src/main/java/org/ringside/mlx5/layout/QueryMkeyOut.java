package org.ringside.mlx5.layout;

/**
 * QUERY_MKEY's answer, with the first translation entries.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_query_mkey_out_bits}.
 */
public final class QueryMkeyOut extends Layout {
    public static final QueryMkeyOut LAYOUT = new QueryMkeyOut();

    public static final Field STATUS = LAYOUT.field("status", 0x00, 31, 24, CommandStatus::name);

    /** Firmware's own number for the cause. */
    public static final Field SYNDROME = LAYOUT.dword("syndrome", 0x04);

    public static final StructField MEMORY_KEY_MKEY_ENTRY =
            LAYOUT.struct("memory_key_mkey_entry", 0x10, Mkc.LAYOUT);
    public static final ArrayField BSF0_KLM0_PAS_MTT0_1 =
            LAYOUT.bytes("bsf0_klm0_pas_mtt0_1", 0x110, 16);
    public static final ArrayField BSF1_KLM1_PAS_MTT2_3 =
            LAYOUT.bytes("bsf1_klm1_pas_mtt2_3", 0x120, 16);

    private QueryMkeyOut() {
        super("query_mkey_out", 0x130);
    }
}
