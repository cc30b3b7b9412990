package org.ringside.mlx5.layout;

/**
 * Context of a memory key: who may do what to which addresses.
 *
 * <p>Source: Linux mlx5_ifc.h, {@code mlx5_ifc_mkc_bits}.
 */
public final class Mkc extends Layout {
    public static final Mkc LAYOUT = new Mkc();

    /** 1: not usable until an UMR says so. */
    public static final Field FREE = LAYOUT.bit("free", 0x00, 30);

    /** Upper part of the access mode. */
    public static final Field ACCESS_MODE_4_2 = LAYOUT.field("access_mode_4_2", 0x00, 28, 26);

    /** PCIe relaxed ordering. */
    public static final Field RELAXED_ORDERING_WRITE =
            LAYOUT.bit("relaxed_ordering_write", 0x00, 18);

    public static final Field SMALL_FENCE_ON_RDMA_READ_RESPONSE =
            LAYOUT.bit("small_fence_on_rdma_read_response", 0x00, 16);

    /** UMR work requests may change it. */
    public static final Field UMR_EN = LAYOUT.bit("umr_en", 0x00, 15);

    /** Remote atomic. */
    public static final Field A = LAYOUT.bit("a", 0x00, 14);

    /** Remote write. */
    public static final Field RW = LAYOUT.bit("rw", 0x00, 13);

    /** Remote read. */
    public static final Field RR = LAYOUT.bit("rr", 0x00, 12);

    /** Local write. */
    public static final Field LW = LAYOUT.bit("lw", 0x00, 11);

    /** Local read. */
    public static final Field LR = LAYOUT.bit("lr", 0x00, 10);

    /** 0 physical, 1 MTT, 2 KLM, 3 KSM. */
    public static final Field ACCESS_MODE_1_0 = LAYOUT.field("access_mode_1_0", 0x00, 9, 8);

    public static final Field MA_TRANSLATION_MODE = LAYOUT.field("ma_translation_mode", 0x00, 5, 4);

    /** 0xffffff: any QP of the PD. */
    public static final Field QPN = LAYOUT.field("qpn", 0x04, 31, 8);

    /** Variant: low byte of the key. */
    public static final Field MKEY_7_0 = LAYOUT.field("mkey_7_0", 0x04, 7, 0);

    /** 1: all of the address space, len is ignored. */
    public static final Field LENGTH64 = LAYOUT.bit("length64", 0x0c, 31);

    public static final Field BSF_EN = LAYOUT.bit("bsf_en", 0x0c, 30);
    public static final Field SYNC_UMR = LAYOUT.bit("sync_umr", 0x0c, 29);
    public static final Field EXPECTED_SIGERR_COUNT = LAYOUT.bit("expected_sigerr_count", 0x0c, 26);

    /** Send with invalidate may invalidate it. */
    public static final Field EN_RINVAL = LAYOUT.bit("en_rinval", 0x0c, 24);

    public static final Field PD = LAYOUT.field("pd", 0x0c, 23, 0);

    /** First virtual address. */
    public static final Field START_ADDR = LAYOUT.qword("start_addr", 0x10);

    /** Bytes. */
    public static final Field LEN = LAYOUT.qword("len", 0x18);

    /** 16-byte units. */
    public static final Field BSF_OCTWORD_SIZE = LAYOUT.dword("bsf_octword_size", 0x20);

    public static final Field CROSSING_TARGET_VHCA_ID =
            LAYOUT.field("crossing_target_vhca_id", 0x30, 31, 16);

    /** 16-byte units: two MTTs each. */
    public static final Field TRANSLATIONS_OCTWORD_SIZE =
            LAYOUT.dword("translations_octword_size", 0x34);

    /** PCIe relaxed ordering. */
    public static final Field RELAXED_ORDERING_READ = LAYOUT.bit("relaxed_ordering_read", 0x38, 6);

    /** Log2 of bytes. */
    public static final Field LOG_PAGE_SIZE = LAYOUT.field("log_page_size", 0x38, 5, 0);

    private Mkc() {
        super("mkc", 0x40);
    }
}
