package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.emulator.device.DmaFault;
import org.ringside.mlx5.layout.Cqe64;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.DoorbellRecord;

/**
 * Writes CQEs and takes arm requests (PRM, Completion Queue Entry; rdma-core struct mlx5_cqe64 and
 * mlx5_err_cqe). The owner bit is in the last word, which is stored last.
 *
 * <pre>
 *   20 LID and 24 GRH, SL, QPN of who sent a datagram
 *   32 user index   36 immediate   44 bytes   48 time   56 opcode, QPN   60 counter, sig, op/own
 *   error: 54 vendor syndrome, 55 syndrome
 * </pre>
 */
final class CompletionWriter {
    private static final int SYNDROMES = 52;
    private static final int SOURCE_LID = 20;
    private static final int SOURCE = 24;
    private static final int LAST_WORD = Cqe64.WQE_COUNTER_OFFSET;
    private static final int INDEX_MASK = 0xff_ffff;
    private static final int ARM_RESERVED = 0xce00_0000;

    private final Engine engine;
    private final MemorySegment cqe = Arena.ofAuto().allocate(Cqe64.SIZE, Cqe64.SIZE);

    CompletionWriter(Engine engine) {
        this.engine = engine;
    }

    /**
     * Completes a WQE.
     *
     * @param index user index or SRQN that the CQE carries
     * @param opcode CQE opcode
     * @param sendOpcode opcode of the send WQE, 0 for receives
     * @param counter 16 bits: first block of the send WQE, or receive counter
     * @param bytes of the message
     * @param immediate as it was in the WQE, in big-endian order; 0 when there is none
     * @param solicited whether it wakes who waits for solicited CQEs only
     * @param event whether an event is raised although the CQ may not be armed
     * @return whether there was room; if not, the CQ has failed
     */
    boolean complete(
            CqState cq,
            QpState qp,
            int index,
            int opcode,
            int sendOpcode,
            int counter,
            int bytes,
            int immediate,
            boolean solicited,
            boolean event) {
        clear(index);
        BigEndian.putInt(cqe, Cqe64.IMM_INVAL_PKEY_OFFSET, immediate);
        BigEndian.putInt(cqe, Cqe64.BYTE_CNT_OFFSET, bytes);
        BigEndian.putLong(cqe, Cqe64.TIMESTAMP_OFFSET, engine.now);
        BigEndian.putInt(cqe, Cqe64.SOP_DROP_QPN_OFFSET, sendOpcode << 24 | qp.qpn);
        return write(cq, opcode, counter, solicited, event);
    }

    /**
     * Completes the receive of a datagram.
     *
     * @param bytes with the room for a GRH
     * @param word immediate in big-endian order, or the P_Key
     * @param lid of the sender
     * @param from {@code GRH:4 SL:4 QPN:24} of the sender
     */
    boolean datagram(
            CqState cq,
            QpState qp,
            int index,
            int opcode,
            int counter,
            int bytes,
            int word,
            boolean solicited,
            int lid,
            int from) {
        clear(index);
        BigEndian.putInt(cqe, SOURCE_LID, lid);
        BigEndian.putInt(cqe, SOURCE, from);
        BigEndian.putInt(cqe, Cqe64.IMM_INVAL_PKEY_OFFSET, word);
        BigEndian.putInt(cqe, Cqe64.BYTE_CNT_OFFSET, bytes);
        BigEndian.putLong(cqe, Cqe64.TIMESTAMP_OFFSET, engine.now);
        BigEndian.putInt(cqe, Cqe64.SOP_DROP_QPN_OFFSET, qp.qpn);
        return write(cq, opcode, counter, solicited, false);
    }

    /**
     * Completes a WQE in error.
     *
     * @param index user index or SRQN that the CQE carries
     * @param opcode {@link CqeOpcode#REQ_ERR} or {@link CqeOpcode#RESP_ERR}
     */
    boolean fail(
            CqState cq,
            QpState qp,
            int index,
            int opcode,
            int sendOpcode,
            int counter,
            int syndrome) {
        clear(index);
        BigEndian.putInt(cqe, SYNDROMES, Syndrome.vendor(syndrome) << 8 | syndrome);
        BigEndian.putInt(cqe, Cqe64.SOP_DROP_QPN_OFFSET, sendOpcode << 24 | qp.qpn);
        return write(cq, opcode, counter, true, false);
    }

    /**
     * Moves a CQ to another buffer. The last CQE in the old one tells software, which then copies
     * what it has not seen to the new one, each CQE one slot further (libmlx5
     * mlx5_cq_resize_copy_cqes).
     *
     * @return whether the new buffer, and the old one for the last CQE, had room
     */
    boolean resize(CqState cq, int logSize, int cqeBytes, PageList pages) {
        HostRecord record = cq.record;
        if (cq.failed || record == null) {
            return false;
        }
        readConsumer(cq, record);
        int unseen = cq.producer - cq.consumer;
        if (unseen >= 1 << cq.logSize || unseen >= 1 << logSize) {
            return false;
        }
        clear(0);
        if (!write(cq, CqeOpcode.RESIZE_CQ, 0, false, false)) {
            return false;
        }
        cq.logSize = logSize;
        cq.cqeBytes = cqeBytes;
        cq.pages = pages;
        cq.attach(engine.memory);
        return true;
    }

    /** Takes an arm request from the doorbell record. */
    void arm(CqState cq) {
        HostRecord record = cq.record;
        if (record == null || cq.failed) {
            return;
        }
        try {
            arm(cq, record.word(1), record);
        } catch (DmaFault e) {
            fail(cq, EngineEvents.CQ_ACCESS_VIOLATION, e.getMessage());
        }
    }

    /** As above; the doorbell said the same, or lies. */
    void arm(CqState cq, int doorbell) {
        HostRecord record = cq.record;
        if (record == null || cq.failed) {
            return;
        }
        try {
            int request = record.word(1);
            if (request != doorbell) {
                engine.findings.report(
                        "%s: doorbell 0x%08x, but the record's arm word is 0x%08x; write the record first"
                                .formatted(cq, doorbell, request));
            }
            arm(cq, request, record);
        } catch (DmaFault e) {
            fail(cq, EngineEvents.CQ_ACCESS_VIOLATION, e.getMessage());
        }
    }

    private void arm(CqState cq, int request, HostRecord record) {
        int sequence = request >>> 28 & 3;
        if ((request & ARM_RESERVED) != 0) {
            engine.findings.report("%s: arm word 0x%08x has reserved bits".formatted(cq, request));
        }
        if (sequence == cq.firedSequence) {
            return;
        }
        readConsumer(cq, record);
        int consumer = request & INDEX_MASK;
        int unseen = cq.producer - consumer & INDEX_MASK;
        if (unseen > 1 << cq.logSize) {
            engine.findings.report(
                    "%s: arm request for consumer index 0x%x, but only 0x%x CQEs were written"
                            .formatted(cq, consumer, cq.producer & INDEX_MASK));
            unseen = 0;
        }
        cq.armed = true;
        cq.armSequence = sequence;
        cq.armedSolicited = (request & DoorbellRecord.ARM_SOLICITED) != 0;
        boolean satisfied =
                cq.armedSolicited
                        ? cq.hasSolicited && cq.producer - cq.solicitedEnd < unseen
                        : unseen > 0;
        if (satisfied) {
            fire(cq);
        }
    }

    private void clear(int index) {
        for (int i = 0; i < Cqe64.SIZE; i += 8) {
            BigEndian.putLong(cqe, i, 0);
        }
        BigEndian.putInt(cqe, Cqe64.SRQN_UIDX_OFFSET, index);
    }

    private boolean write(CqState cq, int opcode, int counter, boolean solicited, boolean event) {
        HostRing ring = cq.ring;
        HostRecord record = cq.record;
        if (cq.failed || ring == null || record == null) {
            return false;
        }
        if (engine.losesCqe.getAsBoolean()) {
            return true;
        }
        try {
            if (!hasRoom(cq, record)) {
                fail(
                        cq,
                        EngineEvents.CQ_OVERRUN,
                        "no room for a CQE: consumer index 0x%x, producer index 0x%x, 0x%x CQEs"
                                .formatted(
                                        cq.consumer & INDEX_MASK,
                                        cq.producer & INDEX_MASK,
                                        1 << cq.logSize));
                return false;
            }
            long slot =
                    (long) (cq.producer & (1 << cq.logSize) - 1) * cq.cqeBytes
                            + cq.cqeBytes
                            - Cqe64.SIZE;
            int owner = cq.producer >>> cq.logSize & 1;
            checkSlot(cq, ring, slot, owner);
            int last =
                    (counter & 0xffff) << 16
                            | opcode << Cqe64.OPCODE_SHIFT
                            | (solicited && opcode < CqeOpcode.REQ_ERR ? Cqe64.SOLICITED : 0)
                            | owner;
            ring.write(slot, cqe, 0, LAST_WORD);
            CqeTap tap = engine.tap;
            if (tap != null) {
                BigEndian.putInt(cqe, LAST_WORD, last);
                tap.cqe(cq.cqn, cq.producer & INDEX_MASK, cqe);
            }
            ring.putWord(slot + LAST_WORD, last);
        } catch (DmaFault e) {
            fail(cq, EngineEvents.CQ_ACCESS_VIOLATION, e.getMessage());
            return false;
        }
        cq.producer++;
        if (solicited) {
            cq.hasSolicited = true;
            cq.solicitedEnd = cq.producer;
        }
        if (cq.armed && (event || solicited || !cq.armedSolicited)) {
            fire(cq);
        } else if (event) {
            engine.events.completion(cq);
        }
        return true;
    }

    /** Software must not find a CQE before the device has written it. */
    private void checkSlot(CqState cq, HostRing ring, long slot, int owner) {
        int old = ring.getWord(slot + LAST_WORD) & 0xff;
        if (old >>> Cqe64.OPCODE_SHIFT != CqeOpcode.INVALID && (old & 1) == owner) {
            engine.findings.report(
                    "%s: slot 0x%x looked valid (op_own 0x%02x) before the device wrote it; fill new CQEs with opcode 0xf"
                            .formatted(cq, cq.producer & (1 << cq.logSize) - 1, old));
        }
    }

    private boolean hasRoom(CqState cq, HostRecord record) {
        if (cq.overrunIgnored || cq.producer - cq.consumer < 1 << cq.logSize) {
            return true;
        }
        readConsumer(cq, record);
        return cq.producer - cq.consumer < 1 << cq.logSize;
    }

    private void readConsumer(CqState cq, HostRecord record) {
        int word = record.word(0);
        int unseen = cq.producer - word & INDEX_MASK;
        boolean impossible = unseen > 1 << cq.logSize && !cq.overrunIgnored;
        if (impossible || (word & ~INDEX_MASK) != 0) {
            engine.findings.report(
                    "%s: consumer index record 0x%08x, but the device wrote CQEs up to 0x%x of 0x%x"
                            .formatted(cq, word, cq.producer & INDEX_MASK, 1 << cq.logSize));
            return;
        }
        cq.consumer = cq.producer - unseen;
    }

    private void fire(CqState cq) {
        cq.armed = false;
        cq.firedSequence = cq.armSequence;
        engine.events.completion(cq);
    }

    private void fail(CqState cq, int syndrome, String why) {
        cq.failed = true;
        engine.findings.report("%s fails: %s".formatted(cq, why));
        engine.events.cqError(cq, syndrome);
    }
}
