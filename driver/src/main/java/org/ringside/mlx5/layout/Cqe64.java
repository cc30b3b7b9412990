package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * A completion queue entry, 64 bytes, as RDMA QPs have it; in a ring of 128-byte entries it is the
 * second half. A failed WQE has the last 32 bytes as {@link ErrCqe}.
 *
 * <p>Byte offsets are for the polling path, fields for all else. The device writes {@link
 * #OP_OWN_OFFSET} last: the entry is there when its owner bit equals (consumer index &gt;&gt; log2
 * of entries) &amp; 1 and its opcode is not {@link CqeOpcode#INVALID}.
 *
 * <p>Source: Linux device.h, {@code struct mlx5_cqe64}; rdma-core cq.c; Adapters PRM, Completion
 * Queue Entry.
 */
public final class Cqe64 extends Layout {
    public static final Cqe64 LAYOUT = new Cqe64();

    /** Bytes. */
    public static final int SIZE = 0x40;

    public static final int SRQN_UIDX_OFFSET = 0x20;
    public static final int IMM_INVAL_PKEY_OFFSET = 0x24;
    public static final int BYTE_CNT_OFFSET = 0x2c;
    public static final int TIMESTAMP_OFFSET = 0x30;

    /** Dword: opcode of the send WQE in bits 31-24, QPN in 23-0. */
    public static final int SOP_DROP_QPN_OFFSET = 0x38;

    /** 16 bits: index of the WQE's first block, as the control segment had it. */
    public static final int WQE_COUNTER_OFFSET = 0x3c;

    public static final int SIGNATURE_OFFSET = 0x3e;

    /** Byte: opcode 7-4, format 3-2, solicited 1, owner 0. */
    public static final int OP_OWN_OFFSET = 0x3f;

    /** Byte of an error CQE. */
    public static final int VENDOR_SYNDROME_OFFSET = 0x36;

    /** Byte of an error CQE: a {@link CqeSyndrome}. */
    public static final int SYNDROME_OFFSET = 0x37;

    public static final int OPCODE_SHIFT = 4;
    public static final int FORMAT_MASK = 0x0c;
    public static final int SOLICITED = 0x02;
    public static final int OWNER_MASK = 0x01;

    /** {@link #OP_OWN_OFFSET} of an entry that software hands to the device: invalid, owner 1. */
    public static final int INITIAL_OP_OWN = CqeOpcode.INVALID << OPCODE_SHIFT | OWNER_MASK;

    /** Which WQE of a message over many, for striding receive queues. */
    public static final Field WQE_ID = LAYOUT.field("wqe_id", 0x00, 15, 0);

    public static final Field ML_PATH = LAYOUT.field("ml_path", 0x10, 23, 16);

    /** InfiniBand: source LID. */
    public static final Field SLID = LAYOUT.field("slid", 0x14, 15, 0);

    /** 1 or more: a GRH lies before the payload of a datagram. */
    public static final Field GRH = LAYOUT.field("grh", 0x18, 29, 28);

    public static final Field SL = LAYOUT.field("sl", 0x18, 27, 24);

    /** Datagrams: source QPN. */
    public static final Field RQPN = LAYOUT.field("rqpn", 0x18, 23, 0);

    /** User index with CQE version 1; otherwise SRQN. */
    public static final Field SRQN_UIDX = LAYOUT.field("srqn_uidx", 0x20, 23, 0);

    /** Immediate, or the rkey that was invalidated, or the P_Key. */
    public static final Field IMM_INVAL_PKEY = LAYOUT.dword("imm_inval_pkey", 0x24);

    /** Bytes that came in, or that a READ or atomic brought. */
    public static final Field BYTE_CNT = LAYOUT.dword("byte_cnt", 0x2c);

    /** Device time, in the QP's ts_format. */
    public static final Field TIMESTAMP = LAYOUT.qword("timestamp", 0x30);

    /** Opcode of the WQE, when the CQE is a requester's. */
    public static final Field SEND_WQE_OPCODE =
            LAYOUT.field("send_wqe_opcode", 0x38, 31, 24, WqeOpcode::name);

    public static final Field QPN = LAYOUT.field("qpn", 0x38, 23, 0);
    public static final Field WQE_COUNTER = LAYOUT.field("wqe_counter", 0x3c, 31, 16);

    /** XOR of the entry is 0xff with it, when enabled. */
    public static final Field SIGNATURE = LAYOUT.field("signature", 0x3c, 15, 8);

    public static final Field OPCODE = LAYOUT.field("opcode", 0x3c, 7, 4, CqeOpcode::name);

    /**
     * 0 no data inside, 1 up to 32 bytes at 0, 2 up to 64 in the first half of 128, 3 compressed.
     */
    public static final Field FORMAT = LAYOUT.field("format", 0x3c, 3, 2);

    /** Solicited. */
    public static final Field SE = LAYOUT.bit("se", 0x3c, 1);

    public static final Field OWNER = LAYOUT.bit("owner", 0x3c, 0);

    private Cqe64() {
        super("cqe64", SIZE);
    }

    /** The entry as its opcode has it, for logs. */
    public static String describe(MemorySegment segment, long base) {
        int opcode = (segment.get(JAVA_BYTE, base + OP_OWN_OFFSET) & 0xff) >>> OPCODE_SHIFT;
        boolean failed = opcode == CqeOpcode.REQ_ERR || opcode == CqeOpcode.RESP_ERR;
        Layout layout = failed ? ErrCqe.LAYOUT : LAYOUT;
        return "CQE " + CqeOpcode.name(opcode) + " " + layout.decode(segment, base);
    }
}
