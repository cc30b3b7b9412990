package org.ringside.mlx5.layout;

/**
 * Work queue entries: byte offsets, sizes and flags for the posting path. {@link WqeDecoder} prints
 * them. All numbers are big endian.
 *
 * <pre>
 *   send queue: blocks (WQEBB) of 64 bytes; a WQE takes as many as it needs and wraps at block borders
 *   +--------+---------------+------------------+----------+----------+
 *   | ctrl   | raddr         | atomic           | data     | data ... |   16 bytes each
 *   | always | READ, WRITE,  | compare-and-swap,|    or one inline    |
 *   |        | atomics       | fetch-and-add    |                     |
 *   +--------+---------------+------------------+---------------------+
 *   receive queue: data segments only, in entries of fixed size; an entry that isn't full ends with lkey 0x100
 * </pre>
 *
 * <p>Source: Linux qp.h, {@code struct mlx5_wqe_*_seg}; Adapters PRM, Send WQE Format.
 */
public final class WqeLayout {
    /** Bytes of a send queue block, the unit of the ring and of its counters. */
    public static final int WQEBB = 64;

    /** Log2 of {@link #WQEBB}. */
    public static final int WQEBB_SHIFT = 6;

    /** Bytes of a segment unit, in which a WQE's size is counted. */
    public static final int DS = 16;

    /** Units that the 6 bits of {@link #CTRL_QPN_DS} hold. */
    public static final int MAX_DS = 63;

    /** Control segment: dword, op_mod 31-24, WQE index 23-8, {@link WqeOpcode} 7-0. */
    public static final int CTRL_OPMOD_IDX_OPCODE = 0x0;

    /** Control segment: dword, QPN 31-8, size of the WQE in {@link #DS} 5-0. */
    public static final int CTRL_QPN_DS = 0x4;

    /** Control segment: byte. */
    public static final int CTRL_SIGNATURE = 0x8;

    /** Control segment: dword, signature 31-24, DCI stream 23-8, flags 7-0. */
    public static final int CTRL_FLAGS_DWORD = 0x8;

    /** Control segment: byte, fence 7-5, {@link #CTRL_CQ_UPDATE} 3-2, {@link #CTRL_SOLICITED} 1. */
    public static final int CTRL_FM_CE_SE = 0xb;

    /** Control segment: dword, immediate or the rkey to invalidate. */
    public static final int CTRL_IMM = 0xc;

    public static final int CTRL_SIZE = 16;

    /** Flag: a CQE also when all is well. */
    public static final int CTRL_CQ_UPDATE = 0x08;

    /** Flag: a CQE and an event whether or not the CQ is armed. */
    public static final int CTRL_CQ_UPDATE_AND_EQE = 0x0c;

    /** Flag: the receiver's CQE is a solicited one. */
    public static final int CTRL_SOLICITED = 0x02;

    /** Flag: waits for local invalidates and UMRs before it. */
    public static final int CTRL_FENCE_INITIATOR_SMALL = 0x20;

    /** Flag: waits for READs and atomics before it. */
    public static final int CTRL_FENCE = 0x40;

    /** Flag: waits for all before it. */
    public static final int CTRL_FENCE_STRONG_ORDERING = 0x60;

    /** Flag: both small fence and fence. */
    public static final int CTRL_FENCE_SMALL_AND_FENCE = 0x80;

    /** The three bits of the fences. */
    public static final int CTRL_FENCE_MASK = 0xe0;

    /** Remote address segment: 8 bytes. */
    public static final int RADDR_ADDRESS = 0x0;

    /** Remote address segment: dword. */
    public static final int RADDR_RKEY = 0x8;

    public static final int RADDR_SIZE = 16;

    /** Atomic segment: 8 bytes, the value to swap in or to add. */
    public static final int ATOMIC_SWAP_ADD = 0x0;

    /** Atomic segment: 8 bytes, the value to compare with. */
    public static final int ATOMIC_COMPARE = 0x8;

    public static final int ATOMIC_SIZE = 16;

    /** Data segment: dword, bytes; 0 means 2^31. */
    public static final int DATA_BYTE_COUNT = 0x0;

    /** Data segment: dword. */
    public static final int DATA_LKEY = 0x4;

    /** Data segment: 8 bytes. */
    public static final int DATA_ADDRESS = 0x8;

    public static final int DATA_SIZE = 16;

    /** Inline segment: dword, {@link #INLINE_FLAG} and the number of bytes that follow it. */
    public static final int INLINE_BYTE_COUNT = 0x0;

    /** Inline segment: its bytes, up to the end of the WQE, over the end of the ring if need be. */
    public static final int INLINE_DATA = 0x4;

    /** In the first dword of a data segment: the data themselves follow. */
    public static final int INLINE_FLAG = 0x8000_0000;

    /** lkey of a data segment of 0 bytes that ends the list in a receive WQE. */
    public static final int TERMINATE_LKEY = 0x100;

    /** Datagram segment: dword. */
    public static final int AV_QKEY = 0x0;

    /** Datagram segment: dword, {@link #AV_EXTENDED} and the destination QPN. */
    public static final int AV_DQP = 0x8;

    /** In {@link #AV_DQP}: the segment has 48 bytes, not 16. */
    public static final int AV_EXTENDED = 0x8000_0000;

    public static final int AV_SIZE = 48;
    public static final int AV_COMPACT_SIZE = 16;

    private WqeLayout() {}

    /** {@link #CTRL_OPMOD_IDX_OPCODE} in CPU order. */
    public static int opmodIdxOpcode(int opMod, int wqeIndex, int opcode) {
        return opMod << 24 | (wqeIndex & 0xffff) << 8 | opcode;
    }

    /** {@link #CTRL_QPN_DS} in CPU order. */
    public static int qpnDs(int qpn, int ds) {
        return qpn << 8 | ds;
    }

    /** Blocks that a WQE of so many {@link #DS} takes. */
    public static int blocks(int ds) {
        return (ds * DS + WQEBB - 1) >>> WQEBB_SHIFT;
    }
}
