package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * Prints WQEs in their rings. Takes whatever is there: a broken WQE is printed as far as it makes
 * sense, never thrown at.
 */
public final class WqeDecoder {
    private static final int UNITS_PER_BLOCK = WqeLayout.WQEBB / WqeLayout.DS;
    private static final int INLINE_SHOWN = 16;

    private final MemorySegment ring;
    private final long base;
    private final int units;
    private final int first;
    private final StringBuilder text = new StringBuilder();

    private WqeDecoder(MemorySegment ring, long base, int units, int first) {
        this.ring = ring;
        this.base = base;
        this.units = units;
        this.first = first;
    }

    /**
     * A send queue WQE, such as {@code WQE RDMA_WRITE index=3 qpn=0x15 ds=3 flags=CQ{raddr=0x7f00
     * rkey=0x1201 sge{...}}}.
     *
     * @param base byte offset of the send ring in the segment
     * @param blocks 64-byte blocks in the ring; a power of two
     * @param index of the WQE's first block, as counters count; higher bits are dropped
     * @param serviceType a {@link ServiceType}: datagram services have an address segment
     */
    public static String send(
            MemorySegment ring, long base, int blocks, int index, int serviceType) {
        int units = blocks * UNITS_PER_BLOCK;
        int first = (index & (blocks - 1)) * UNITS_PER_BLOCK;
        return new WqeDecoder(ring, base, units, first).send(serviceType);
    }

    /**
     * A receive queue WQE.
     *
     * @param at byte offset of the entry in the segment
     * @param stride bytes per entry
     */
    public static String receive(MemorySegment ring, long at, int stride) {
        int units = stride / WqeLayout.DS;
        WqeDecoder decoder = new WqeDecoder(ring, at, units, 0);
        decoder.text.append("WQE RECV{");
        decoder.scatter(0, units, true);
        return decoder.text.append('}').toString();
    }

    private String send(int serviceType) {
        int word = dword(0, WqeLayout.CTRL_OPMOD_IDX_OPCODE);
        int qpnDs = dword(0, WqeLayout.CTRL_QPN_DS);
        int flags = dword(0, WqeLayout.CTRL_FLAGS_DWORD) & 0xff;
        int opcode = word & 0xff;
        int ds = qpnDs & WqeLayout.MAX_DS;
        text.append(
                "WQE %s(0x%x) index=%d qpn=0x%x ds=%d"
                        .formatted(
                                WqeOpcode.name(opcode),
                                opcode,
                                word >>> 8 & 0xffff,
                                qpnDs >>> 8,
                                ds));
        if (word >>> 24 != 0) {
            text.append(" op_mod=").append(word >>> 24);
        }
        appendFlags(flags);
        int imm = dword(0, WqeLayout.CTRL_IMM);
        if (imm != 0) {
            text.append(" imm=0x").append(Integer.toHexString(imm));
        }
        text.append('{');
        int unit = 1;
        if (serviceType == ServiceType.UD || serviceType == ServiceType.DCI) {
            unit = address(unit, ds);
        }
        unit = remote(opcode, unit, ds);
        if (ds > units) {
            text.append(" MORE THAN THE RING");
        }
        scatter(unit, Math.min(ds, units), false);
        return text.append('}').toString();
    }

    private void appendFlags(int flags) {
        if (flags == 0) {
            return;
        }
        text.append(" flags=0x").append(Integer.toHexString(flags)).append('[');
        String completion =
                switch (flags & WqeLayout.CTRL_CQ_UPDATE_AND_EQE) {
                    case 0 -> "";
                    case WqeLayout.CTRL_CQ_UPDATE -> " cqe";
                    case WqeLayout.CTRL_CQ_UPDATE_AND_EQE -> " cqe+eqe";
                    default -> " completion?";
                };
        String fence =
                switch (flags & WqeLayout.CTRL_FENCE_MASK) {
                    case 0 -> "";
                    case WqeLayout.CTRL_FENCE_INITIATOR_SMALL -> " small-fence";
                    case WqeLayout.CTRL_FENCE -> " fence";
                    case WqeLayout.CTRL_FENCE_STRONG_ORDERING -> " strong-order";
                    case WqeLayout.CTRL_FENCE_SMALL_AND_FENCE -> " small-fence+fence";
                    default -> " fence?";
                };
        String solicited = (flags & WqeLayout.CTRL_SOLICITED) != 0 ? " solicited" : "";
        text.append((completion + fence + solicited).trim()).append(']');
    }

    private int address(int unit, int ds) {
        if (unit >= ds) {
            text.append(" NO ADDRESS");
            return unit;
        }
        int dqp = dword(unit, WqeLayout.AV_DQP);
        text.append(
                "av{dqpn=0x%x qkey=0x%x}"
                        .formatted(dqp & 0xff_ffff, dword(unit, WqeLayout.AV_QKEY)));
        boolean extended = (dqp & WqeLayout.AV_EXTENDED) != 0;
        int bytes = extended ? WqeLayout.AV_SIZE : WqeLayout.AV_COMPACT_SIZE;
        return unit + bytes / WqeLayout.DS;
    }

    private int remote(int opcode, int unit, int ds) {
        boolean atomic = opcode == WqeOpcode.ATOMIC_CS || opcode == WqeOpcode.ATOMIC_FA;
        boolean remote =
                atomic
                        || opcode == WqeOpcode.RDMA_WRITE
                        || opcode == WqeOpcode.RDMA_WRITE_IMM
                        || opcode == WqeOpcode.RDMA_READ;
        int next = unit;
        if (remote && next < ds) {
            text.append(
                    " raddr=0x%x rkey=0x%x"
                            .formatted(
                                    qword(next, WqeLayout.RADDR_ADDRESS),
                                    dword(next, WqeLayout.RADDR_RKEY)));
            next++;
        }
        if (atomic && next < ds) {
            text.append(
                    opcode == WqeOpcode.ATOMIC_CS
                            ? " swap=0x%x compare=0x%x"
                                    .formatted(
                                            qword(next, WqeLayout.ATOMIC_SWAP_ADD),
                                            qword(next, WqeLayout.ATOMIC_COMPARE))
                            : " add=0x%x".formatted(qword(next, WqeLayout.ATOMIC_SWAP_ADD)));
            next++;
        }
        return next;
    }

    private void scatter(int from, int to, boolean terminated) {
        for (int unit = from; unit < to; unit++) {
            int count = dword(unit, WqeLayout.DATA_BYTE_COUNT);
            if ((count & WqeLayout.INLINE_FLAG) != 0) {
                int length = count & ~WqeLayout.INLINE_FLAG;
                int room = (to - unit) * WqeLayout.DS - WqeLayout.INLINE_DATA;
                text.append(" inline[").append(length).append("]=");
                appendInline(unit, Math.min(length, room));
                if (length > room) {
                    text.append(" MORE THAN THE WQE");
                    return;
                }
                unit += (WqeLayout.INLINE_DATA + length - 1) / WqeLayout.DS;
            } else {
                int lkey = dword(unit, WqeLayout.DATA_LKEY);
                if (terminated && count == 0 && lkey == WqeLayout.TERMINATE_LKEY) {
                    return;
                }
                text.append(
                        " sge{addr=0x%x len=%d lkey=0x%x}"
                                .formatted(qword(unit, WqeLayout.DATA_ADDRESS), count, lkey));
            }
        }
    }

    private void appendInline(int unit, int length) {
        int shown = Math.min(length, INLINE_SHOWN);
        for (int i = 0; i < shown; i++) {
            int at = WqeLayout.INLINE_DATA + i;
            byte value = ring.get(JAVA_BYTE, offset(unit + at / WqeLayout.DS) + at % WqeLayout.DS);
            text.append("%02x".formatted(value));
        }
        text.append(length > shown ? "..." : "");
    }

    private long offset(int unit) {
        return base + (long) ((first + unit) % units) * WqeLayout.DS;
    }

    private int dword(int unit, int at) {
        return ring.get(Field.BE32, offset(unit) + at);
    }

    private long qword(int unit, int at) {
        return ring.get(Field.BE64, offset(unit) + at);
    }
}
