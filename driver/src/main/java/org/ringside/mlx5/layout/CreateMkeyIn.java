package org.ringside.mlx5.layout;

/**
 * CREATE_MKEY: context and translation entries. The key itself is the answer's index shifted by 8
 * with {@link Mkc#MKEY_7_0} below.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_create_mkey_in_bits}.
 */
public final class CreateMkeyIn extends Layout {
    public static final CreateMkeyIn LAYOUT = new CreateMkeyIn();

    public static final Field OPCODE = LAYOUT.field("opcode", 0x00, 31, 16, Opcode::name);
    public static final Field UID = LAYOUT.field("uid", 0x00, 15, 0);
    public static final Field OP_MOD = LAYOUT.field("op_mod", 0x04, 15, 0);

    /** 1: the entries follow. */
    public static final Field PG_ACCESS = LAYOUT.bit("pg_access", 0x0c, 31);

    public static final Field MKEY_UMEM_VALID = LAYOUT.bit("mkey_umem_valid", 0x0c, 30);
    public static final Field DATA_DIRECT = LAYOUT.bit("data_direct", 0x0c, 29);
    public static final StructField MEMORY_KEY_MKEY_ENTRY =
            LAYOUT.struct("memory_key_mkey_entry", 0x10, Mkc.LAYOUT);

    /** 16-byte units in klm_pas_mtt. */
    public static final Field TRANSLATIONS_OCTWORD_ACTUAL_SIZE =
            LAYOUT.dword("translations_octword_actual_size", 0x60);

    /** MTTs: 8 bytes each, address with bit 0 read, bit 1 write. */
    public static final ArrayField KLM_PAS_MTT = LAYOUT.list("klm_pas_mtt", 0x110, 32);

    private CreateMkeyIn() {
        super("create_mkey_in", 0x110);
    }
}
