package org.ringside.mlx5.layout;

/**
 * What a send WQE of opcode UMR carries behind its control segment, whose immediate names the
 * memory key: byte offsets and bits. It changes the key as its mask says, and the list of memory
 * behind it.
 *
 * <pre>
 *   +0    flags:8 0:24 | list octwords:16 translation offset:16 | mask:64 | 0 ...          48 bytes
 *   +48   free:1 ...   access:8 ... | QPN:24 variant:8 | ... | start:64 | length:64 ...    64 bytes
 *   +112  byte count:32 key:32 address:64 ...              the list, when it is inline; 64 bytes at a time
 * </pre>
 *
 * <p>Source: rdma-core mlx5dv.h, {@code struct mlx5_wqe_umr_ctrl_seg}, {@code
 * mlx5_wqe_mkey_context_seg} and {@code mlx5_wqe_umr_klm_seg}; Linux device.h, {@code MLX5_UMR_}
 * and {@code MLX5_MKEY_MASK_}.
 */
public final class UmrLayout {
    /** Control: byte. */
    public static final int FLAGS = 0x0;

    /** The list is in the WQE. */
    public static final int FLAG_INLINE = 1 << 7;

    /** The key must be free. */
    public static final int FLAG_CHECK_FREE = 1 << 5;

    /** The key must not be free. */
    public static final int FLAG_CHECK_USED = 1 << 6;

    /** Control has a translation offset. */
    public static final int FLAG_TRANSLATION_OFFSET = 1 << 4;

    /** The key must be bound to this QP. */
    public static final int FLAG_CHECK_QPN = 1 << 3;

    /** Control: 16 bits, 16-byte units of the list. */
    public static final int LIST_OCTWORDS = 0x4;

    /** Control: 16 bits. */
    public static final int TRANSLATION_OFFSET = 0x6;

    /** Control: 8 bytes, which fields of the context to take. */
    public static final int MASK = 0x8;

    public static final long MASK_LENGTH = 1;
    public static final long MASK_START = 1 << 6;
    public static final long MASK_PD = 1 << 7;
    public static final long MASK_VARIANT = 1 << 13;
    public static final long MASK_QPN = 1 << 14;
    public static final long MASK_LOCAL_READ = 1 << 17;
    public static final long MASK_LOCAL_WRITE = 1 << 18;
    public static final long MASK_REMOTE_READ = 1 << 19;
    public static final long MASK_REMOTE_WRITE = 1 << 20;
    public static final long MASK_ATOMIC = 1 << 21;
    public static final long MASK_FREE = 1 << 29;

    public static final int CONTROL_SIZE = 48;

    /** Context: byte, {@link #CONTEXT_FREE}. */
    public static final int FREE = 0x0;

    /** The key gives no access. */
    public static final int CONTEXT_FREE = 1 << 6;

    /** Context: byte. */
    public static final int ACCESS = 0x2;

    public static final int ACCESS_LOCAL_READ = 1 << 2;
    public static final int ACCESS_LOCAL_WRITE = 1 << 3;
    public static final int ACCESS_REMOTE_READ = 1 << 4;
    public static final int ACCESS_REMOTE_WRITE = 1 << 5;
    public static final int ACCESS_ATOMIC = 1 << 6;

    /** Context: dword, QPN 31-8 and variant of the key 7-0. */
    public static final int QPN_VARIANT = 0x4;

    /** Context: dword, PD 23-0. */
    public static final int PD = 0xc;

    /** Context: 8 bytes. */
    public static final int START = 0x10;

    /** Context: 8 bytes. */
    public static final int LENGTH = 0x18;

    public static final int CONTEXT_SIZE = 64;

    /** List entry (KLM): dword. */
    public static final int KLM_BYTE_COUNT = 0x0;

    /** List entry: dword. */
    public static final int KLM_KEY = 0x4;

    /** List entry: 8 bytes. */
    public static final int KLM_ADDRESS = 0x8;

    public static final int KLM_SIZE = 16;

    private UmrLayout() {}
}
