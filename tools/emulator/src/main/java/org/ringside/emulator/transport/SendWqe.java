package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.WqeDecoder;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * A send WQE as the device fetched it, with every field checked (PRM, Send WQE; rdma-core struct
 * mlx5_wqe_ctrl_seg and the segments after it). Reused for each WQE.
 *
 * <pre>
 *   +0   opmod:8  index:16  opcode:8 | QPN:24 0:2 DS:6 | sig:8 0:16 fm:3 0:1 ce:2 se:1 0:1 | imm
 *   ...  0:8 SRQN:24  0:96                                                      XRC
 *   ...  {@link AddressVector}, 16 or 48 bytes                                  datagrams
 *   ...  remote address:64           | rkey:32         | 0:32                   WRITE READ atomics
 *   ...  swap or add:64              | compare:64                               atomics
 *   ...  byte count:32  lkey:32      | address:64                               pieces, or
 *        1:1 byte count:31  data ...                                            inline, to 16 bytes
 * </pre>
 */
final class SendWqe {
    private static final int SEGMENT = WqeLayout.DS;
    private static final int MAX_BLOCKS = WqeLayout.blocks(WqeLayout.MAX_DS);
    private static final int INLINE = WqeLayout.INLINE_FLAG;

    /** Behind the WQE: the GRH that the receiver of a datagram finds before the data. */
    private static final int GRH_AT = MAX_BLOCKS * WorkQueues.BLOCK;

    private static final int ATOMIC_BYTES = 8;
    private static final int QPN_MASK = 0xff_ffff;
    private static final int QPN_DS_RESERVED = 0xc0;
    private static final int FLAGS_RESERVED = 0x00ff_ff11;

    private static final int FENCE_SMALL = 1;
    private static final int FENCE_MAX = 4;

    private final MemorySegment wqe =
            Arena.ofAuto().allocate(GRH_AT + WorkQueues.BLOCK, WorkQueues.BLOCK);
    private final KeyCheck keys;

    /** What is sent, or where the answer goes. */
    final SgList pieces = new SgList(wqe);

    /** Where a datagram goes. */
    final AddressVector address = new AddressVector();

    int opcode;

    /** Of XRC: the receive queue that it goes to. */
    int srqn;

    /** Blocks that it takes in the ring; 1 when that cannot be told. */
    int blocks;

    /** 0 and 1 no completion, 2 completion, 3 completion and event. */
    int signal;

    boolean fenced;
    boolean solicited;
    int immediate;
    long remoteAddress;
    int rkey;

    private Service service = Service.RC;
    private int size;
    long swapOrAdd;
    long compare;

    /** What was wrong when {@link #fetch} returned a syndrome. */
    private @Nullable String problem;

    SendWqe(KeyCheck keys) {
        this.keys = keys;
    }

    /** The problem, and the WQE as it was fetched. */
    String problem() {
        return problem + ": " + WqeDecoder.send(wqe, 0, MAX_BLOCKS, 0, service.code());
    }

    boolean isRead() {
        return opcode == WqeOpcode.RDMA_READ;
    }

    boolean isAtomic() {
        return opcode == WqeOpcode.ATOMIC_CS || opcode == WqeOpcode.ATOMIC_FA;
    }

    boolean isWrite() {
        return opcode == WqeOpcode.RDMA_WRITE || opcode == WqeOpcode.RDMA_WRITE_IMM;
    }

    /** Whether the receiver's CQE carries the last word of the control segment. */
    boolean hasImmediate() {
        return opcode == WqeOpcode.SEND_IMM
                || opcode == WqeOpcode.RDMA_WRITE_IMM
                || opcode == WqeOpcode.SEND_INVAL;
    }

    /** All of it, control segment first; valid until the next one is fetched. */
    MemorySegment bytes() {
        return wqe;
    }

    /** Bytes of it, as DS says. */
    int size() {
        return size;
    }

    /** Bytes of the message, without what the receiver finds before a datagram. */
    long payload() {
        return service.isDatagram() ? pieces.length() - Grh.BYTES : pieces.length();
    }

    /** Puts a GRH before the data of the datagram. */
    void writeGrh(long sourceHigh, long sourceLow) {
        Grh.write(wqe, GRH_AT, address, sourceHigh, sourceLow, (int) payload());
    }

    /** Reads no more than where the WQE ends, for flushing: opcode and blocks. */
    void peek(SendQueue sq, int counter, int available) {
        sq.readBlock(counter, wqe, 0);
        opcode = BigEndian.getInt(wqe, 0) & 0xff;
        int segments = BigEndian.getInt(wqe, 4) & WqeLayout.MAX_DS;
        blocks = Math.clamp(WqeLayout.blocks(segments), 1, Math.max(1, available));
    }

    /**
     * Fetches and checks the WQE at a counter.
     *
     * @param available blocks up to the doorbell record's counter, at least 1
     * @return {@link Syndrome#NONE}, or why it cannot be executed
     */
    int fetch(QpState qp, SendQueue sq, int counter, int available) {
        sq.readBlock(counter, wqe, 0);
        int first = BigEndian.getInt(wqe, 0);
        int second = BigEndian.getInt(wqe, 4);
        int third = BigEndian.getInt(wqe, 8);
        opcode = first & 0xff;
        service = qp.service;
        blocks = 1;
        pieces.clear();
        int segments = second & WqeLayout.MAX_DS;
        if ((first >>> 8 & 0xffff) != counter) {
            return bad("index 0x%x, but it is at 0x%x", first >>> 8 & 0xffff, counter);
        }
        if (first >>> 24 != 0) {
            return bad("opcode modifier 0x%x with opcode 0x%x", first >>> 24, opcode);
        }
        if (second >>> 8 != qp.qpn) {
            return bad("QPN 0x%x, but it is posted to 0x%x", second >>> 8, qp.qpn);
        }
        if ((second & QPN_DS_RESERVED) != 0 || (third & FLAGS_RESERVED) != 0) {
            return bad("reserved bits in 0x%08x 0x%08x", second, third);
        }
        int needed = WqeLayout.blocks(segments);
        if (segments == 0 || needed > available) {
            return bad("DS %d, but %d blocks were posted", segments, available);
        }
        blocks = needed;
        size = segments * SEGMENT;
        int fence = third >>> 5 & 7;
        if (fence > FENCE_MAX) {
            return bad("fence mode %d, the last is %d", fence, FENCE_MAX);
        }
        fenced = fence > FENCE_SMALL;
        signal = third >>> 2 & 3;
        solicited = (third & 2) != 0;
        immediate = BigEndian.getInt(wqe, 12);
        for (int block = 1; block < needed; block++) {
            sq.readBlock(counter + block, wqe, (long) block * WorkQueues.BLOCK);
        }
        return segments(qp, segments * SEGMENT);
    }

    private int segments(QpState qp, int end) {
        int at = SEGMENT;
        if (opcode == WqeOpcode.NOP) {
            return Syndrome.NONE;
        }
        if (qp.service == Service.XRC) {
            if (at + SEGMENT > end) {
                return bad("DS %d leaves no XRC segment", end / SEGMENT, 0);
            }
            srqn = BigEndian.getInt(wqe, at) & QPN_MASK;
            at += SEGMENT;
        } else if (qp.service.isDatagram()) {
            if (at + SEGMENT > end || at + AddressVector.size(wqe, at) > end) {
                return bad("DS %d leaves no datagram segment", end / SEGMENT, 0);
            }
            address.read(wqe, at);
            at += AddressVector.size(wqe, at);
            Grh.clear(wqe, GRH_AT);
            pieces.addInline(GRH_AT, Grh.BYTES);
        }
        return switch (opcode) {
            case WqeOpcode.SEND, WqeOpcode.SEND_IMM ->
                    qp.service == Service.UMR ? foreign(qp, end) : pieces(qp, at, end, true);
            case WqeOpcode.SEND_INVAL ->
                    qp.service.isReliable() ? pieces(qp, at, end, true) : foreign(qp, end);
            case WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_WRITE_IMM -> {
                int syndrome = qp.service.isConnected() ? remote(at, end) : foreign(qp, end);
                yield syndrome != Syndrome.NONE
                        ? syndrome
                        : pieces(qp, at + WqeLayout.RADDR_SIZE, end, true);
            }
            case WqeOpcode.RDMA_READ -> {
                int syndrome = qp.service.isReliable() ? remote(at, end) : foreign(qp, end);
                yield syndrome != Syndrome.NONE
                        ? syndrome
                        : pieces(qp, at + WqeLayout.RADDR_SIZE, end, false);
            }
            case WqeOpcode.UMR ->
                    qp.service == Service.RC
                                    || qp.service == Service.UC
                                    || qp.service == Service.UMR
                            ? Syndrome.NONE
                            : foreign(qp, end);
            case WqeOpcode.ATOMIC_CS, WqeOpcode.ATOMIC_FA -> {
                int syndrome = qp.service.isReliable() ? remote(at, end) : foreign(qp, end);
                yield syndrome != Syndrome.NONE
                        ? syndrome
                        : atomic(qp, at + WqeLayout.RADDR_SIZE, end);
            }
            default -> foreign(qp, end);
        };
    }

    private int foreign(QpState qp, int end) {
        problem =
                "opcode 0x%x is not one of %s QP (DS %d)"
                        .formatted(
                                opcode,
                                qp.service.isReliable() ? "an " + qp.service : "a " + qp.service,
                                end / SEGMENT);
        return CqeSyndrome.LOCAL_QP_OP_ERR;
    }

    private int atomic(QpState qp, int at, int end) {
        if (at + SEGMENT > end) {
            return bad("DS %d leaves no atomic segment", end / SEGMENT, 0);
        }
        swapOrAdd = BigEndian.getLong(wqe, (long) at + WqeLayout.ATOMIC_SWAP_ADD);
        compare = BigEndian.getLong(wqe, (long) at + WqeLayout.ATOMIC_COMPARE);
        int syndrome = pieces(qp, at + SEGMENT, end, false);
        if (syndrome == Syndrome.NONE && pieces.length() != ATOMIC_BYTES) {
            problem = "an atomic returns 8 bytes, not " + pieces.length();
            return CqeSyndrome.LOCAL_LENGTH_ERR;
        }
        return syndrome;
    }

    private int remote(int at, int end) {
        if (at + WqeLayout.RADDR_SIZE > end) {
            return bad("DS %d leaves no remote address segment", end / SEGMENT, 0);
        }
        remoteAddress = BigEndian.getLong(wqe, (long) at + WqeLayout.RADDR_ADDRESS);
        rkey = BigEndian.getInt(wqe, (long) at + WqeLayout.RADDR_RKEY);
        int reserved = BigEndian.getInt(wqe, (long) at + WqeLayout.RADDR_SIZE - 4);
        return reserved == 0
                ? Syndrome.NONE
                : bad("reserved 0x%x in the remote address segment, rkey 0x%x", reserved, rkey);
    }

    /**
     * @param gather whether the pieces are read, and may be inline; else they are written
     */
    private int pieces(QpState qp, int from, int end, boolean gather) {
        int at = from;
        int right = gather ? MkeyState.LOCAL_READ : MkeyState.LOCAL_WRITE;
        while (at < end) {
            int word = BigEndian.getInt(wqe, at);
            if ((word & INLINE) != 0) {
                int bytes = word & ~INLINE;
                if (!gather) {
                    return bad("inline data with opcode 0x%x, 0x%x bytes", opcode, bytes);
                }
                if (bytes > end - at - 4) {
                    return bad("0x%x bytes inline, but DS ends after 0x%x", bytes, end - at - 4);
                }
                pieces.addInline(at + 4L, bytes);
                at += 4 + bytes + SEGMENT - 1 & -SEGMENT;
                continue;
            }
            int lkey = BigEndian.getInt(wqe, at + 4L);
            long va = BigEndian.getLong(wqe, at + 8L);
            // The hardware's count 0 means 2^31, so software leaves empty pieces out.
            long bytes = word == 0 ? 1L << 31 : word;
            MkeyState mkey = keys.allowed(qp.pd, qp.qpn, lkey, right, va, bytes);
            if (mkey == null) {
                problem =
                        "piece %d: %s%s"
                                .formatted(
                                        pieces.size(),
                                        keys.explain(qp.pd, qp.qpn, lkey, right, va, bytes),
                                        word == 0 ? " (byte count 0 means 2^31)" : "");
                return CqeSyndrome.LOCAL_PROT_ERR;
            }
            pieces.add(mkey, va, bytes);
            at += SEGMENT;
        }
        if (payload() > 1L << qp.logMaxMessage) {
            problem =
                    "message of 0x%x bytes, the QP's longest has 2^%d"
                            .formatted(payload(), qp.logMaxMessage);
            return CqeSyndrome.LOCAL_LENGTH_ERR;
        }
        return Syndrome.NONE;
    }

    private int bad(String format, int a, int b) {
        problem = String.format(format, a, b);
        return CqeSyndrome.LOCAL_QP_OP_ERR;
    }
}
