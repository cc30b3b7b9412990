package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.WqeOpcode;

/** The receive queues of a function's QPs: what is posted, and how it completes. */
final class Receives {
    private final Engine engine;

    Receives(Engine engine) {
        this.engine = engine;
    }

    /** Whether one is posted. */
    boolean isPosted(QpState qp) {
        if (qp.receiveHead == qp.receiveProducer) {
            readProducer(qp);
        }
        return qp.receiveHead != qp.receiveProducer;
    }

    /** Reads how far receives are posted; a record that cannot be true changes nothing. */
    void readProducer(QpState qp) {
        HostRecord record = qp.record;
        if (record == null || qp.queues.logRqSize() == WorkQueues.NONE) {
            return;
        }
        int word = record.word(0);
        int posted = word - qp.receiveHead & 0xffff;
        int size = 1 << qp.queues.logRqSize();
        boolean impossible = word >>> 16 != 0 || posted > size;
        if (impossible && !qp.recordDoubted) {
            engine.findings.report(
                    "%s: receive doorbell record 0x%08x, but 0x%x were consumed and 0x%x fit"
                            .formatted(qp, word, qp.receiveHead, size));
        }
        qp.recordDoubted = impossible;
        if (!impossible) {
            qp.receiveProducer = word;
        }
    }

    /** As {@link #isPosted}; no, when the doorbell record cannot be read. */
    boolean isPostedNow(QpState qp) {
        try {
            return isPosted(qp);
        } catch (DmaFault e) {
            engine.findings.report("%s: %s".formatted(qp, e.getMessage()));
            return false;
        }
    }

    /** Completes the next receive with a message; false when its CQ had no room. */
    boolean complete(QpState qp, SendWqe wqe, int length) {
        int opcode =
                switch (wqe.opcode) {
                    case WqeOpcode.RDMA_WRITE_IMM -> CqeOpcode.RESP_WR_IMM;
                    case WqeOpcode.SEND_IMM -> CqeOpcode.RESP_SEND_IMM;
                    default -> CqeOpcode.RESP_SEND;
                };
        int counter = qp.receiveHead;
        qp.receiveHead = counter + 1 & 0xffff;
        boolean written =
                engine.completions.complete(
                        qp.receiveCq,
                        qp,
                        opcode,
                        0,
                        counter,
                        length,
                        wqe.hasImmediate() ? wqe.immediate : 0,
                        wqe.solicited,
                        false);
        if (!written) {
            engine.fail(qp, EventType.WQ_CATAS_ERROR);
        }
        return written;
    }

    /** Completes the next receive in error, which ends the QP. */
    void fail(QpState qp, int syndrome, @Nullable String why) {
        engine.findings.report(
                "%s: receive 0x%x: %s: %s"
                        .formatted(qp, qp.receiveHead, CqeSyndrome.name(syndrome), why));
        int counter = qp.receiveHead;
        qp.receiveHead = counter + 1 & 0xffff;
        engine.completions.fail(qp.receiveCq, qp, CqeOpcode.RESP_ERR, 0, counter, syndrome);
        engine.fail(qp, Engine.NO_EVENT);
    }

    /** Completes what is posted as flushed; returns how many. */
    int flush(QpState qp, int budget) {
        int done = 0;
        readProducer(qp);
        for (; qp.receiveHead != qp.receiveProducer && done < budget; done++) {
            int counter = qp.receiveHead;
            qp.receiveHead = counter + 1 & 0xffff;
            engine.completions.fail(
                    qp.receiveCq, qp, CqeOpcode.RESP_ERR, 0, counter, CqeSyndrome.WR_FLUSH_ERR);
        }
        return done;
    }
}
