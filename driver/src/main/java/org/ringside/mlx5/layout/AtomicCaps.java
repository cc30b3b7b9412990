package org.ringside.mlx5.layout;

/**
 * Capability group 3: which atomic operations, of which sizes.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_atomic_caps_bits}.
 */
public final class AtomicCaps extends Layout {
    public static final AtomicCaps LAYOUT = new AtomicCaps();

    /** 0 big endian, 1 host order. */
    public static final Field ATOMIC_REQ_8B_ENDIANNESS_MODE =
            LAYOUT.field("atomic_req_8B_endianness_mode", 0x08, 31, 30);

    public static final Field SUPPORTED_ATOMIC_REQ_8B_ENDIANNESS_MODE_1 =
            LAYOUT.bit("supported_atomic_req_8B_endianness_mode_1", 0x08, 25);

    /** Bit 0 CAS, 1 FAA, 2 extended CAS, 3 extended FAA. */
    public static final Field ATOMIC_OPERATIONS = LAYOUT.field("atomic_operations", 0x10, 15, 0);

    /** Bit n: 2^n bytes. */
    public static final Field ATOMIC_SIZE_QP = LAYOUT.field("atomic_size_qp", 0x14, 15, 0);

    /** Bit n: 2^n bytes. */
    public static final Field ATOMIC_SIZE_DC = LAYOUT.field("atomic_size_dc", 0x18, 15, 0);

    private AtomicCaps() {
        super("atomic_caps", 0x100);
    }
}
