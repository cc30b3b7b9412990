package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.mlx5.layout.Cqe64;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.WqeOpcode;

/** A completion queue as software handles it. */
final class TestCq {
    final MemorySegment ring;
    final MemorySegment record;
    final CqState state;
    private final int logSize;
    private final int cqeBytes;
    private final Node node;
    int consumer;
    private int sequence;

    /** What software reads of a CQE. */
    record Cqe(int opcode, int qpn, int sendOpcode, int counter, int bytes, int imm, int syndrome) {
        @Override
        public String toString() {
            String what =
                    opcode == CqeOpcode.REQ
                            ? WqeOpcode.name(sendOpcode)
                            : opcode >= CqeOpcode.REQ_ERR
                                    ? CqeSyndrome.name(syndrome)
                                    : CqeOpcode.name(opcode);
            return "%d %s".formatted(counter, what);
        }
    }

    TestCq(Node node, int logSize, int cqeBytes, boolean overrunIgnored) {
        this.node = node;
        this.logSize = logSize;
        this.cqeBytes = cqeBytes;
        long bytes = Math.max(0x1000, (long) cqeBytes << logSize);
        this.ring = node.arena.allocate(bytes, 0x1000);
        this.record = node.arena.allocate(0x1000, 0x1000);
        for (int i = 0; i < 1 << logSize; i++) {
            ring.set(
                    java.lang.foreign.ValueLayout.JAVA_BYTE,
                    at(i) + Cqe64.OP_OWN_OFFSET,
                    (byte) Cqe64.INITIAL_OP_OWN);
        }
        this.state =
                new CqState(
                        node.number(),
                        1,
                        1,
                        logSize,
                        cqeBytes,
                        Node.pages(node.map(ring, true), bytes),
                        node.map(record, false),
                        overrunIgnored);
        node.engine.add(state);
    }

    /** Opcode of the next CQE, consumed, or −1. Allocates nothing. */
    int poll() {
        long at = at(consumer);
        int last = BigEndian.getAcquire(ring, at + Cqe64.WQE_COUNTER_OFFSET);
        int opcode = last >>> 4 & 0xf;
        if (opcode == CqeOpcode.INVALID || (last & 1) != (consumer >>> logSize & 1)) {
            return -1;
        }
        consumer++;
        BigEndian.setRelease(record, DoorbellRecord.CONSUMER_INDEX, consumer & 0xff_ffff);
        return opcode;
    }

    @Nullable Cqe next() {
        long at = at(consumer);
        int opcode = poll();
        if (opcode < 0) {
            return null;
        }
        int sop = BigEndian.getInt(ring, at + Cqe64.SOP_DROP_QPN_OFFSET);
        boolean failed = opcode >= CqeOpcode.REQ_ERR;
        return new Cqe(
                opcode,
                sop & 0xff_ffff,
                sop >>> 24,
                BigEndian.getInt(ring, at + Cqe64.WQE_COUNTER_OFFSET) >>> 16,
                failed ? 0 : BigEndian.getInt(ring, at + Cqe64.BYTE_CNT_OFFSET),
                BigEndian.getInt(ring, at + Cqe64.IMM_INVAL_PKEY_OFFSET),
                failed ? ring.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at + 55) : 0);
    }

    /** All CQEs, as text. */
    List<String> drain() {
        List<String> all = new ArrayList<>();
        for (Cqe cqe = next(); cqe != null; cqe = next()) {
            all.add(cqe.toString());
        }
        return all;
    }

    /** Asks for an event, with a sequence number of its own. */
    void arm(boolean solicited) {
        arm(sequence++, solicited);
    }

    void arm(int sn, boolean solicited) {
        BigEndian.setRelease(
                record,
                DoorbellRecord.ARM,
                DoorbellRecord.armWord(
                        sn,
                        solicited ? DoorbellRecord.ARM_SOLICITED : DoorbellRecord.ARM_NEXT,
                        consumer));
        node.engine.arm(state);
    }

    long at(int index) {
        return (long) (index & (1 << logSize) - 1) * cqeBytes + cqeBytes - 64;
    }
}
