package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.roce.ReceiveRequest;

/**
 * The receive queues of a function's QPs: what is posted, and how it completes. A QP has a queue of
 * its own or takes from a shared one; {@code srq} is null for the former.
 *
 * <p>A WQE of a shared queue is claimed by the QP whose message begins to fill it, so that no other
 * QP gets it while the message moves in parts.
 */
final class Receives {
    private static final int NONE = -1;

    private final Engine engine;
    private final SharedReceives shared;
    private final ReceiveWqe wqe;

    Receives(Engine engine) {
        this.engine = engine;
        this.shared = engine.sharedReceives;
        this.wqe = new ReceiveWqe(new KeyCheck(engine.mkeys));
    }

    /** Whether a message finds a WQE. */
    boolean isPosted(QpState qp, @Nullable SrqState srq) {
        if (srq != null) {
            return qp.claimed != NONE || shared.isPosted(srq);
        }
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
    boolean isPostedNow(QpState qp, @Nullable SrqState srq) {
        try {
            return isPosted(qp, srq);
        } catch (DmaFault e) {
            engine.findings.report("%s: %s".formatted(qp, e.getMessage()));
            return false;
        }
    }

    /**
     * Where the message goes: pieces of the next WQE, which must be posted.
     *
     * @return null when the receiver cannot take the message, which has failed it
     */
    @Nullable SgList target(QpState qp, @Nullable SrqState srq, long length) {
        syndrome = fetch(qp, srq, length);
        if (syndrome == Syndrome.NONE) {
            return wqe.pieces;
        }
        fail(qp, srq, syndrome, wqe.problem());
        return null;
    }

    /** Why {@link #target} was null. */
    int syndrome;

    private int fetch(QpState qp, @Nullable SrqState srq, long length) {
        HostRing ring = qp.ring;
        if (srq != null) {
            claim(qp, srq);
            return wqe.fetch(qp, srq, qp.claimed, length);
        }
        return ring == null
                ? CqeSyndrome.LOCAL_QP_OP_ERR
                : wqe.fetch(qp, ring, qp.receiveHead, length);
    }

    private void claim(QpState qp, SrqState srq) {
        if (qp.claimed == NONE) {
            qp.claimed = shared.take(srq);
            qp.claimedFrom = srq;
        }
    }

    /** Takes the next WQE: what its CQE calls it. */
    private int take(QpState qp, @Nullable SrqState srq) {
        if (srq != null) {
            claim(qp, srq);
            int index = qp.claimed;
            qp.claimed = NONE;
            qp.claimedFrom = null;
            return index;
        }
        int counter = qp.receiveHead;
        qp.receiveHead = counter + 1 & 0xffff;
        return counter;
    }

    private static CqState cq(QpState qp, @Nullable SrqState srq) {
        CqState own = srq != null && qp.service == Service.XRC ? srq.cq : null;
        return own == null ? qp.receiveCq : own;
    }

    /** What CQEs carry besides the QPN: the QP's user index, or what names the shared queue. */
    private static int index(QpState qp, @Nullable SrqState srq) {
        if (srq == null) {
            return qp.cqeIndex;
        }
        return qp.service == Service.XRC || qp.userIndex == SrqState.NO_USER_INDEX
                ? srq.cqeIndex()
                : qp.cqeIndex;
    }

    /** Completes the next receive with a message; false when its CQ had no room. */
    boolean complete(QpState qp, @Nullable SrqState srq, SendWqe sent, int length) {
        int opcode =
                switch (sent.opcode) {
                    case WqeOpcode.RDMA_WRITE_IMM -> CqeOpcode.RESP_WR_IMM;
                    case WqeOpcode.SEND_IMM -> CqeOpcode.RESP_SEND_IMM;
                    case WqeOpcode.SEND_INVAL -> CqeOpcode.RESP_SEND_INV;
                    default -> CqeOpcode.RESP_SEND;
                };
        boolean written =
                engine.completions.complete(
                        cq(qp, srq),
                        qp,
                        index(qp, srq),
                        opcode,
                        0,
                        take(qp, srq),
                        length,
                        sent.hasImmediate() ? sent.immediate : 0,
                        sent.solicited,
                        false);
        return written || overrun(qp);
    }

    /** Completes the next receive with a datagram. */
    void completeDatagram(QpState qp, SendWqe sent, int lid, QpState sender) {
        boolean immediate = sent.opcode == WqeOpcode.SEND_IMM;
        int from =
                (sent.address.global ? 1 << 28 : 0)
                        | sent.address.serviceLevel << 24
                        | sender.sourceQpn;
        boolean written =
                engine.completions.datagram(
                        cq(qp, qp.srq),
                        qp,
                        index(qp, qp.srq),
                        immediate ? CqeOpcode.RESP_SEND_IMM : CqeOpcode.RESP_SEND,
                        take(qp, qp.srq),
                        (int) sent.pieces.length(),
                        immediate ? sent.immediate : sender.pkey,
                        sent.solicited,
                        lid,
                        from);
        if (!written) {
            overrun(qp);
        }
    }

    // ---- for QPs beyond the uplink, which complete one at a time too

    /** Takes the next WQE, whole: its keys are checked when data comes. */
    boolean next(QpState qp, ReceiveRequest into) {
        SrqState srq = qp.srq;
        if (!isPosted(qp, srq)) {
            return false;
        }
        into.clear();
        into.index = take(qp, srq);
        HostRing ring = qp.ring;
        if (srq != null) {
            wqe.readAll(srq, into.index, into.sges());
        } else if (ring != null) {
            wqe.readAll(qp, ring, into.index, into.sges());
        }
        return true;
    }

    /** A message came into a WQE that {@link #next} gave; false when its CQ had no room. */
    boolean completed(QpState qp, int counter, int opcode, int bytes, int word, boolean solicited) {
        return engine.completions.complete(
                cq(qp, qp.srq),
                qp,
                index(qp, qp.srq),
                opcode,
                0,
                counter,
                bytes,
                word,
                solicited,
                false);
    }

    /** A WQE that {@link #next} gave ends in error. */
    void failed(QpState qp, int counter, int failure) {
        completeInError(qp, qp.srq, counter, failure);
    }

    private boolean overrun(QpState qp) {
        engine.fail(qp, EventType.WQ_CATAS_ERROR);
        return false;
    }

    /** Completes the next receive in error, which ends the QP. */
    void fail(QpState qp, @Nullable SrqState srq, int failure, @Nullable String why) {
        int counter = take(qp, srq);
        engine.findings.report(
                "%s: receive 0x%x: %s: %s".formatted(qp, counter, CqeSyndrome.name(failure), why));
        completeInError(qp, srq, counter, failure);
        engine.fail(qp, Engine.NO_EVENT);
    }

    private void completeInError(QpState qp, @Nullable SrqState srq, int counter, int failure) {
        engine.completions.fail(
                cq(qp, srq), qp, index(qp, srq), CqeOpcode.RESP_ERR, 0, counter, failure);
    }

    /** Completes what is posted to the QP alone as flushed; returns how many. */
    int flush(QpState qp, int budget) {
        int done = 0;
        if (qp.claimed != NONE) {
            SrqState srq = qp.claimedFrom;
            completeInError(qp, srq, take(qp, srq), CqeSyndrome.WR_FLUSH_ERR);
            done++;
        }
        readProducer(qp);
        for (; qp.receiveHead != qp.receiveProducer && done < budget; done++) {
            completeInError(qp, null, take(qp, null), CqeSyndrome.WR_FLUSH_ERR);
        }
        return done;
    }
}
