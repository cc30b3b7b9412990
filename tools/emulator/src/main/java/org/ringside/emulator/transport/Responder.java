package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * What a connected QP does with requests of its peer (IBTA 9.7.4 to 9.7.5, 9.8.2): checks sequence,
 * rights and room, moves the data, completes a receive. Each method answers with an outcome, or
 * with the syndrome that the requester completes with (positive).
 */
final class Responder {
    /** The request is done. */
    static final int OK = 0;

    /** The peer hears nothing. */
    static final int NO_ANSWER = -1;

    /** RNR NAK: no receive is posted. */
    static final int NOT_READY = -2;

    /** NAK: requests before this one are missing. */
    static final int SEQUENCE_ERROR = -3;

    /** A part of the data has moved; come again. */
    static final int IN_PROGRESS = -4;

    private final Engine engine;
    private final KeyCheck keys;
    private final Receives receives;
    private final SgList remote;
    private final Mover mover = new Mover();
    private @Nullable String problem;

    Responder(Engine engine) {
        this.engine = engine;
        this.receives = engine.receives;
        this.keys = new KeyCheck(engine.mkeys);
        this.remote = new SgList(MemorySegment.NULL);
    }

    /** What is wrong on the requester's side, when an outcome says so. */
    String problem() {
        return String.valueOf(problem);
    }

    /**
     * A SEND or WRITE.
     *
     * @param requester the sender, whose {@link SendQueue#sent} says how much was moved before
     * @param budget bytes to move at most
     */
    int accept(QpState qp, SendWqe wqe, QpState requester, SendQueue sq, long budget) {
        long length = wqe.pieces.length();
        int outcome = admit(qp, requester);
        if (outcome != OK) {
            return outcome;
        }
        if (requester.mtu != qp.mtu && length > Math.min(requester.mtu, qp.mtu)) {
            return refuse(
                    qp,
                    "0x%x bytes in packets of MTU %d, but its own is %d"
                            .formatted(length, requester.mtu, qp.mtu));
        }
        SrqState srq = qp.srq;
        if (qp.service == Service.XRC) {
            srq = xrcTarget(qp, wqe);
            if (srq == null) {
                return refuse(qp, noXrcTarget(qp, wqe));
            }
        }
        MkeyState invalidated = null;
        if (wqe.opcode == WqeOpcode.SEND_INVAL) {
            invalidated = invalidable(qp, srq, wqe);
            if (invalidated == null) {
                return denyInvalidation(qp, srq, wqe);
            }
        }
        boolean write = wqe.isWrite();
        if (write) {
            outcome = checkWrite(qp, srq, wqe, length);
            if (outcome != OK) {
                return outcome;
            }
        }
        try {
            outcome = deliver(qp, srq, wqe, sq, budget, write, length);
            if (invalidated != null && outcome == OK) {
                invalidated.invalidate();
            }
            return outcome;
        } catch (DmaFault e) {
            engine.findings.report("%s: %s; the QP fails".formatted(qp, e.getMessage()));
            engine.fail(qp, EventType.WQ_CATAS_ERROR);
            return CqeSyndrome.REMOTE_OP_ERR;
        }
    }

    /** The key that a SEND may invalidate (IBTA 9.4.1.1.3), or null. */
    private @Nullable MkeyState invalidable(QpState qp, @Nullable SrqState srq, SendWqe wqe) {
        return keys.named(pd(qp, srq), qp.qpn, wqe.immediate, MkeyState.REMOTE_INVALIDATE);
    }

    /** NAK remote operation error: told by the receive, whose key it is. */
    private int denyInvalidation(QpState qp, @Nullable SrqState srq, SendWqe wqe) {
        String why =
                "SEND with invalidate: "
                        + keys.explain(
                                pd(qp, srq),
                                qp.qpn,
                                wqe.immediate,
                                MkeyState.REMOTE_INVALIDATE,
                                0,
                                0);
        if (!receives.isPostedNow(qp, srq)) {
            return NOT_READY;
        }
        receives.fail(qp, srq, CqeSyndrome.LOCAL_PROT_ERR, why);
        return CqeSyndrome.REMOTE_OP_ERR;
    }

    /** The queue that an XRC request names, when the QP's domain has it. */
    private @Nullable SrqState xrcTarget(QpState qp, SendWqe wqe) {
        SrqState srq = engine.srq(wqe.srqn);
        return srq != null && srq.takesXrc(qp.xrcd) ? srq : null;
    }

    private static String noXrcTarget(QpState qp, SendWqe wqe) {
        return "XRC SRQ 0x%x, which is not one of its domain 0x%x".formatted(wqe.srqn, qp.xrcd);
    }

    /** Protection domain of what requests access: of XRC that of the SRQ (IBTA 10.2.9). */
    private static int pd(QpState qp, @Nullable SrqState srq) {
        return srq != null && qp.service == Service.XRC ? srq.pd : qp.pd;
    }

    private int checkWrite(QpState qp, @Nullable SrqState srq, SendWqe wqe, long length) {
        if (!qp.remoteWrite) {
            return refuse(qp, "WRITE, which the QP does not allow (rwe)");
        }
        remote.clear();
        if (length > 0) {
            MkeyState mkey =
                    keys.allowed(
                            pd(qp, srq),
                            qp.qpn,
                            wqe.rkey,
                            MkeyState.REMOTE_WRITE,
                            wqe.remoteAddress,
                            length);
            if (mkey == null) {
                return deny(qp, srq, wqe, MkeyState.REMOTE_WRITE, length);
            }
            remote.add(mkey, wqe.remoteAddress, length);
        }
        return OK;
    }

    private int deliver(
            QpState qp,
            @Nullable SrqState srq,
            SendWqe wqe,
            SendQueue sq,
            long budget,
            boolean write,
            long length) {
        boolean consumes = wqe.opcode != WqeOpcode.RDMA_WRITE;
        if (consumes && !receives.isPosted(qp, srq)) {
            return NOT_READY;
        }
        SgList target = write ? remote : receives.target(qp, srq, length);
        if (target == null) {
            return receives.syndrome == CqeSyndrome.LOCAL_LENGTH_ERR
                    ? CqeSyndrome.REMOTE_INVAL_REQ_ERR
                    : CqeSyndrome.REMOTE_OP_ERR;
        }
        long left = length - sq.sent;
        if (left > 0) {
            long bytes = Math.min(left, budget);
            int moved = mover.copy(wqe.pieces, target, sq.sent, bytes);
            if (moved == Mover.SOURCE_FAULT) {
                problem = mover.why();
                return CqeSyndrome.LOCAL_PROT_ERR;
            }
            if (moved == Mover.TARGET_FAULT) {
                return targetFault(qp, srq, write);
            }
            sq.sent += bytes;
            if (bytes < left) {
                return IN_PROGRESS;
            }
        }
        advance(qp, Psn.packets(length, qp.mtu));
        return !consumes || receives.complete(qp, srq, wqe, (int) length)
                ? OK
                : CqeSyndrome.REMOTE_OP_ERR;
    }

    private int targetFault(QpState qp, @Nullable SrqState srq, boolean write) {
        if (!write) {
            receives.fail(qp, srq, CqeSyndrome.LOCAL_PROT_ERR, mover.why());
            return CqeSyndrome.REMOTE_OP_ERR;
        }
        engine.findings.report("%s: WRITE of the peer: %s".formatted(qp, mover.why()));
        engine.fail(qp, EventType.WQ_ACCESS_ERROR);
        return CqeSyndrome.REMOTE_ACCESS_ERR;
    }

    /**
     * A READ request; its data is asked for by {@link #answer} later.
     *
     * @param outstanding READs and atomics of the peer that are not answered yet
     */
    int acceptRead(QpState qp, SendWqe wqe, QpState requester, int outstanding) {
        int outcome = admit(qp, requester);
        if (outcome != OK) {
            return outcome;
        }
        if (!qp.remoteRead) {
            return refuse(qp, "READ, which the QP does not allow (rre)");
        }
        if (outstanding >= qp.maxIncomingReads) {
            return refuse(qp, tooMany(qp, outstanding));
        }
        SrqState srq = qp.service == Service.XRC ? xrcTarget(qp, wqe) : null;
        if (srq == null && qp.service == Service.XRC) {
            return refuse(qp, noXrcTarget(qp, wqe));
        }
        long length = wqe.pieces.length();
        if (length > 0 && readable(qp, srq, wqe, length) == null) {
            return deny(qp, srq, wqe, MkeyState.REMOTE_READ, length);
        }
        if (requester.mtu != qp.mtu && length > Math.min(requester.mtu, qp.mtu)) {
            problem =
                    "%s answers a READ in packets of MTU %d, the requester's is %d"
                            .formatted(qp, qp.mtu, requester.mtu);
            return CqeSyndrome.BAD_RESP_ERR;
        }
        advance(qp, Psn.packets(length, qp.mtu));
        return OK;
    }

    private @Nullable MkeyState readable(
            QpState qp, @Nullable SrqState srq, SendWqe wqe, long length) {
        return keys.allowed(
                pd(qp, srq), qp.qpn, wqe.rkey, MkeyState.REMOTE_READ, wqe.remoteAddress, length);
    }

    /** Moves data of a READ that was accepted; {@link SendQueue#landed} says how much there is. */
    int answer(QpState qp, SendWqe wqe, SendQueue sq, long budget) {
        long length = wqe.pieces.length();
        long left = length - sq.landed;
        if (left == 0) {
            return OK;
        }
        SrqState srq = qp.service == Service.XRC ? xrcTarget(qp, wqe) : null;
        MkeyState mkey = readable(qp, srq, wqe, length);
        if (mkey == null) {
            return deny(qp, srq, wqe, MkeyState.REMOTE_READ, length);
        }
        remote.clear();
        remote.add(mkey, wqe.remoteAddress, length);
        long bytes = Math.min(left, budget);
        int moved = mover.copy(remote, wqe.pieces, sq.landed, bytes);
        if (moved == Mover.TARGET_FAULT) {
            problem = mover.why();
            return CqeSyndrome.LOCAL_PROT_ERR;
        }
        if (moved == Mover.SOURCE_FAULT) {
            engine.findings.report("%s: READ of the peer: %s".formatted(qp, mover.why()));
            engine.fail(qp, EventType.WQ_ACCESS_ERROR);
            return CqeSyndrome.REMOTE_ACCESS_ERR;
        }
        sq.landed += bytes;
        return bytes < left ? IN_PROGRESS : OK;
    }

    /** An atomic; what was in memory before is in {@link #before}. */
    int acceptAtomic(QpState qp, SendWqe wqe, QpState requester, int outstanding) {
        int outcome = admit(qp, requester);
        if (outcome != OK) {
            return outcome;
        }
        if (!qp.remoteAtomic) {
            return refuse(qp, "atomic, which the QP does not allow (rae)");
        }
        if (outstanding >= qp.maxIncomingReads) {
            return refuse(qp, tooMany(qp, outstanding));
        }
        if ((wqe.remoteAddress & 7) != 0) {
            return refuse(
                    qp, "atomic at 0x%x, which is not 8-byte aligned".formatted(wqe.remoteAddress));
        }
        SrqState srq = qp.service == Service.XRC ? xrcTarget(qp, wqe) : null;
        if (srq == null && qp.service == Service.XRC) {
            return refuse(qp, noXrcTarget(qp, wqe));
        }
        MkeyState mkey =
                keys.allowed(pd(qp, srq), qp.qpn, wqe.rkey, MkeyState.ATOMIC, wqe.remoteAddress, 8);
        if (mkey == null) {
            return deny(qp, srq, wqe, MkeyState.ATOMIC, 8);
        }
        long iova = mkey.iova(wqe.remoteAddress);
        try {
            before =
                    wqe.opcode == WqeOpcode.ATOMIC_CS
                            ? engine.memory.compareAndSwap(iova, wqe.compare, wqe.swapOrAdd)
                            : engine.memory.fetchAndAdd(iova, wqe.swapOrAdd);
        } catch (DmaFault e) {
            engine.findings.report("%s: atomic of the peer: %s".formatted(qp, e.getMessage()));
            engine.fail(qp, EventType.WQ_ACCESS_ERROR);
            return CqeSyndrome.REMOTE_ACCESS_ERR;
        }
        advance(qp, 1);
        return OK;
    }

    /** What the last atomic found in memory, in CPU order. */
    long before;

    /** Whether the request is the next one, and the QP takes any. */
    private int admit(QpState qp, QpState requester) {
        if (!qp.service.isReliable()) {
            // What was lost before is lost; this message may begin anew (IBTA 9.8.2.2.1).
            qp.nextReceivePsn = requester.nextSendPsn;
        }
        int ahead = Psn.difference(requester.nextSendPsn, qp.nextReceivePsn);
        if (ahead != 0) {
            if (ahead > 0 && !qp.sequenceNakSent) {
                qp.sequenceNakSent = true;
                engine.findings.report(
                        "%s: PSN 0x%x came, 0x%x is expected"
                                .formatted(qp, requester.nextSendPsn, qp.nextReceivePsn));
                return SEQUENCE_ERROR;
            }
            // Behind: the peer gets an acknowledgement of what it never sent, and drops it.
            return NO_ANSWER;
        }
        if (qp.state == State.RTR && !qp.established) {
            qp.established = true;
            engine.events.qpEvent(qp, EventType.COMM_EST);
        }
        return OK;
    }

    private static void advance(QpState qp, long packets) {
        qp.nextReceivePsn = Psn.add(qp.nextReceivePsn, packets);
        qp.msn = Psn.add(qp.msn, 1);
        qp.sequenceNakSent = false;
    }

    /** NAK invalid request: no receive is consumed, so an event tells the responder. */
    private int refuse(QpState qp, String what) {
        engine.findings.report("%s refuses: %s".formatted(qp, what));
        if (!qp.service.isReliable()) {
            return CqeSyndrome.REMOTE_INVAL_REQ_ERR; // Dropped; who sent it hears nothing.
        }
        engine.fail(qp, EventType.WQ_INVAL_REQ_ERROR);
        return CqeSyndrome.REMOTE_INVAL_REQ_ERR;
    }

    /** NAK remote access error: told by the receive that a WRITE with immediate would consume. */
    private int deny(QpState qp, @Nullable SrqState srq, SendWqe wqe, int right, long length) {
        String why = keys.explain(pd(qp, srq), qp.qpn, wqe.rkey, right, wqe.remoteAddress, length);
        if (!qp.service.isReliable()) {
            engine.findings.report("%s drops: %s".formatted(qp, why));
        } else if (wqe.opcode == WqeOpcode.RDMA_WRITE_IMM && receives.isPostedNow(qp, srq)) {
            receives.fail(qp, srq, CqeSyndrome.LOCAL_ACCESS_ERR, why);
        } else {
            engine.findings.report("%s denies: %s".formatted(qp, why));
            engine.fail(qp, EventType.WQ_ACCESS_ERROR);
        }
        return CqeSyndrome.REMOTE_ACCESS_ERR;
    }

    private static String tooMany(QpState qp, int outstanding) {
        return "READ or atomic while %d are outstanding; the QP serves %d at a time (log_rra_max at INIT2RTR)"
                .formatted(outstanding, qp.maxIncomingReads);
    }
}
