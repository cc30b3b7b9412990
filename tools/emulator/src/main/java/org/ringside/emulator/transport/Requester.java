package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.EventType;
import org.ringside.mlx5.layout.WqeOpcode;

/** What a QP does with its send queue (IBTA 9.7.2, 9.7.3, 9.7.7). */
final class Requester {
    /** WQEs of one QP in one duty cycle. */
    private static final int WQE_BUDGET = 64;

    /** Bytes of one QP in one duty cycle. */
    private static final long BYTE_BUDGET = 512 << 10;

    /** Values of the completion field of a WQE from which on it has a CQE, and an event too. */
    private static final int ALWAYS = 2;

    private static final int ALWAYS_EVENT = 3;

    private static final long TIMEOUT_UNIT_NANOS = 4096;

    private final Engine engine;
    private final Connection connection;
    private final SendWqe wqe;
    private final SendWqe landing;
    private final MemorySegment result = Arena.ofAuto().allocate(8, 8);
    private final SgList resultPieces = new SgList(result);
    private final Mover mover = new Mover();
    private final Umr umr;
    private long budget;

    Requester(Engine engine) {
        this.engine = engine;
        this.connection = engine.connection;
        this.umr = new Umr(engine);
        KeyCheck keys = new KeyCheck(engine.mkeys);
        this.wqe = new SendWqe(keys);
        this.landing = new SendWqe(keys);
        resultPieces.addInline(0, 8);
    }

    /** One duty cycle of a QP in RTS or SQD; returns what was done. */
    int run(QpState qp) {
        SendQueue sq = qp.send;
        if (sq == null) {
            return 0;
        }
        boolean waits = sq.wakeAt != 0 && !endWait(qp, sq);
        if (waits && (sq.unanswered || sq.inFlight() == 0)) {
            return 0;
        }
        engine.readSendProducer(qp, sq);
        budget = BYTE_BUDGET;
        boolean idle = sq.isEmpty();
        int done = 0;
        while (!waits && done < WQE_BUDGET && sq.head != sq.producer && mayIssue(qp, sq)) {
            if (!issue(qp, sq)) {
                break;
            }
            done++;
        }
        done += land(qp, sq);
        if (qp.state == State.RTS) {
            if (sq.wakeAt == 0 ? !sq.isEmpty() : !sq.unanswered && sq.inFlight() > 0) {
                engine.schedule(qp);
            }
        } else if (qp.state == State.SQD) {
            drain(qp, sq);
        }
        // A WQE that failed, waits, or moved a part of its bytes was work too.
        return idle ? done : Math.max(done, 1);
    }

    /** In SQD only what was begun goes on. */
    private static boolean mayIssue(QpState qp, SendQueue sq) {
        return qp.state == State.RTS || (qp.state == State.SQD && sq.sent > 0);
    }

    private void drain(QpState qp, SendQueue sq) {
        if (sq.inFlight() > 0 || sq.sent > 0) {
            engine.schedule(qp);
        } else if (qp.notifyDrained) {
            qp.notifyDrained = false;
            engine.events.qpEvent(qp, EventType.SQ_DRAINED);
        }
    }

    /** Whether a wait is over and the QP may go on. */
    private boolean endWait(QpState qp, SendQueue sq) {
        if (sq.wakeAt > engine.now) {
            return false;
        }
        sq.wakeAt = 0;
        if (!sq.unanswered) {
            return true;
        }
        sq.unanswered = false;
        return retry(qp, sq);
    }

    /** Takes one of the retries, or ends the QP when none is left. */
    private boolean retry(QpState qp, SendQueue sq) {
        if (sq.retriesLeft > 0) {
            sq.retriesLeft--;
            return true;
        }
        String why =
                "%d retries without answer: %s".formatted(qp.retryCount, connection.silence(qp));
        failOldest(qp, sq, CqeSyndrome.TRANSPORT_RETRY_EXC_ERR, why);
        return false;
    }

    /** Executes the WQE at the head; false when the queue cannot go on now. */
    private boolean issue(QpState qp, SendQueue sq) {
        int syndrome = wqe.fetch(qp, sq, sq.head, sq.producer - sq.head & 0xffff);
        if (sq.verdict != Syndrome.NONE) {
            return failHead(qp, sq, sq.verdict, null);
        }
        if (syndrome != Syndrome.NONE) {
            return failHead(qp, sq, syndrome, wqe.problem());
        }
        if (qp.service.isDatagram()) {
            return sendDatagram(qp, sq);
        }
        boolean answered = wqe.isRead() || wqe.isAtomic();
        if (sq.inFlight() > 0 && mustWait(qp, sq, answered)) {
            land(qp, sq);
            if (qp.state == State.ERR || (sq.inFlight() > 0 && mustWait(qp, sq, answered))) {
                return false;
            }
        }
        if (wqe.opcode == WqeOpcode.NOP) {
            finish(qp, sq, SendQueue.DONE, 0);
            return qp.state != State.ERR;
        }
        if (wqe.opcode == WqeOpcode.UMR) {
            int outcome = umr.execute(qp, wqe.bytes(), wqe.size(), wqe.immediate);
            if (outcome != Syndrome.NONE) {
                return failHead(qp, sq, outcome, umr.problem());
            }
            finish(qp, sq, SendQueue.DONE, 0);
            return qp.state != State.ERR;
        }
        if (answered && qp.maxOutgoingReads == 0) {
            return failHead(
                    qp,
                    sq,
                    CqeSyndrome.LOCAL_QP_OP_ERR,
                    "READ or atomic, but log_sra_max is unset");
        }
        return transmit(qp, sq, answered);
    }

    private boolean sendDatagram(QpState qp, SendQueue sq) {
        if (wqe.opcode != WqeOpcode.NOP) {
            int outcome = engine.datagrams.send(qp, wqe);
            if (outcome != Syndrome.NONE) {
                return failHead(qp, sq, outcome, engine.datagrams.problem());
            }
            budget -= wqe.pieces.length();
            qp.nextSendPsn = Psn.add(qp.nextSendPsn, 1);
        }
        finish(qp, sq, SendQueue.DONE, 0);
        return qp.state != State.ERR && budget > 0;
    }

    private boolean mustWait(QpState qp, SendQueue sq, boolean answered) {
        return sq.isFull()
                || (wqe.fenced && sq.readsInFlight() > 0)
                || (answered && sq.readsInFlight() >= qp.maxOutgoingReads);
    }

    private boolean transmit(QpState qp, SendQueue sq, boolean answered) {
        Engine peer = connection.peer(qp);
        QpState remote = peer == null ? null : connection.remote(qp, peer);
        if (peer == null || remote == null) {
            if (qp.service.isReliable()) {
                return unanswered(qp, sq);
            }
            engine.unicast.sent(requestPackets(qp), requestOctets(qp));
            return sent(qp, sq, SendQueue.DONE, 0);
        }
        peer.now = engine.now;
        Responder responder = peer.responder;
        int outcome;
        int kind = SendQueue.DONE;
        long value = 0;
        if (!answered) {
            long before = sq.sent;
            outcome = responder.accept(remote, wqe, qp, sq, budget);
            budget -= sq.sent - before;
        } else if (wqe.isRead()) {
            outcome = responder.acceptRead(remote, wqe, qp, sq.readsInFlight());
            kind = SendQueue.READ;
        } else {
            outcome = responder.acceptAtomic(remote, wqe, qp, sq.readsInFlight());
            kind = SendQueue.ATOMIC;
            value = responder.before;
        }
        if (outcome != Responder.IN_PROGRESS) {
            count(qp, peer, outcome == Responder.OK && !answered);
        }
        if (!qp.service.isReliable() && isLost(outcome)) {
            return sent(qp, sq, kind, value);
        }
        return switch (outcome) {
            case Responder.OK -> sent(qp, sq, kind, value);
            case Responder.IN_PROGRESS -> false;
            case Responder.NOT_READY -> notReady(qp, sq, remote);
            case Responder.NO_ANSWER -> unanswered(qp, sq);
            case Responder.SEQUENCE_ERROR -> {
                // Repeated at once, which the run that follows does.
                retry(qp, sq);
                yield false;
            }
            default -> {
                // Local ones come from gathering, which happens there.
                String why = outcome < CqeSyndrome.LOCAL_ACCESS_ERR ? responder.problem() : null;
                sq.verdict = outcome;
                yield failHead(qp, sq, outcome, why);
            }
        };
    }

    /** The request went to the peer, which acknowledges it if nothing else answers. */
    private void count(QpState qp, Engine peer, boolean acknowledged) {
        engine.unicast.send(peer.unicast, requestPackets(qp), requestOctets(qp));
        if (acknowledged && qp.service.isReliable()) {
            peer.unicast.send(engine.unicast, 1, PortTraffic.PACKET + PortTraffic.AETH);
        }
    }

    private long requestPackets(QpState qp) {
        return wqe.isAtomic() || wqe.isRead() ? 1 : Psn.packets(wqe.pieces.length(), qp.mtu);
    }

    private long requestOctets(QpState qp) {
        long octets = requestPackets(qp) * PortTraffic.PACKET;
        if (wqe.isAtomic()) {
            return octets + PortTraffic.ATOMIC_ETH;
        }
        if (wqe.isRead()) {
            return octets + PortTraffic.RETH;
        }
        long extended = wqe.isWrite() ? PortTraffic.RETH : 0;
        if (wqe.opcode == WqeOpcode.SEND_IMM
                || wqe.opcode == WqeOpcode.RDMA_WRITE_IMM
                || wqe.opcode == WqeOpcode.SEND_INVAL) {
            extended += PortTraffic.IMMEDIATE;
        }
        return octets + extended + wqe.pieces.length();
    }

    /** Whether nobody took the message, of which an unreliable requester never hears. */
    private static boolean isLost(int outcome) {
        return outcome == Responder.NOT_READY
                || outcome == Responder.NO_ANSWER
                || outcome == Responder.SEQUENCE_ERROR
                || outcome >= CqeSyndrome.BAD_RESP_ERR;
    }

    /** The responder has the WQE at the head. */
    private boolean sent(QpState qp, SendQueue sq, int kind, long value) {
        engine.reloadRetries(qp);
        long packets = wqe.isAtomic() ? 1 : Psn.packets(wqe.pieces.length(), qp.mtu);
        qp.nextSendPsn = Psn.add(qp.nextSendPsn, packets);
        finish(qp, sq, kind, value);
        return qp.state != State.ERR && budget > 0;
    }

    /** The WQE at the head was sent: completes it, or lets it wait for its answer or its turn. */
    private void finish(QpState qp, SendQueue sq, int kind, long value) {
        int counter = sq.head;
        sq.head = counter + wqe.blocks & 0xffff;
        sq.sent = 0;
        long length = wqe.payload();
        if (kind == SendQueue.DONE && sq.inFlight() == 0) {
            complete(qp, counter, wqe.opcode, wqe.signal, length);
        } else {
            sq.push(kind, counter, wqe.opcode, wqe.signal, length, value);
        }
    }

    /** Scatters answers and completes WQEs in flight, in order; returns how many. */
    private int land(QpState qp, SendQueue sq) {
        int done = 0;
        while (sq.inFlight() > 0 && qp.state != State.ERR) {
            int slot = sq.first();
            if (sq.kinds[slot] != SendQueue.DONE && !landOne(qp, sq, slot)) {
                break;
            }
            int counter = sq.indexes[slot];
            int opcode = sq.opcodes[slot];
            int signal = sq.signals[slot];
            long length = sq.lengths[slot];
            sq.landed = 0;
            sq.pop();
            complete(qp, counter, opcode, signal, length);
            done++;
        }
        return done;
    }

    private boolean landOne(QpState qp, SendQueue sq, int slot) {
        int syndrome = landing.fetch(qp, sq, sq.indexes[slot], sq.size());
        if (syndrome != Syndrome.NONE) {
            failOldest(qp, sq, syndrome, landing.problem());
            return false;
        }
        if (sq.kinds[slot] == SendQueue.ATOMIC) {
            result.set(ValueLayout.JAVA_LONG, 0, sq.values[slot]);
            if (mover.copy(resultPieces, landing.pieces, 0, 8) == Mover.OK) {
                countAnswer(
                        qp, 1, PortTraffic.PACKET + PortTraffic.AETH + PortTraffic.ATOMIC_ACK_ETH);
                return true;
            }
            failOldest(qp, sq, CqeSyndrome.LOCAL_PROT_ERR, mover.why());
            return false;
        }
        Engine peer = connection.peer(qp);
        QpState remote = peer == null ? null : peer.qp(qp.remoteQpn);
        if (peer == null || remote == null || remote.state == State.RESET) {
            unanswered(qp, sq);
            return false;
        }
        peer.now = engine.now;
        long before = sq.landed;
        int outcome = peer.responder.answer(remote, landing, sq, budget);
        budget -= sq.landed - before;
        if (outcome > 0) {
            boolean local = outcome == CqeSyndrome.LOCAL_PROT_ERR;
            failOldest(qp, sq, outcome, local ? peer.responder.problem() : null);
        }
        if (outcome == Responder.OK) {
            long length = landing.pieces.length();
            long packets = Psn.packets(length, remote.mtu);
            // The first and the last packet of a READ's answer have an AETH.
            long acknowledged = Math.min(2, packets) * PortTraffic.AETH;
            countAnswer(qp, packets, packets * PortTraffic.PACKET + acknowledged + length);
        }
        return outcome == Responder.OK;
    }

    private void countAnswer(QpState qp, long packets, long octets) {
        Engine peer = connection.peer(qp);
        if (peer != null) {
            peer.unicast.send(engine.unicast, packets, octets);
        }
    }

    private void complete(QpState qp, int counter, int opcode, int signal, long length) {
        if (signal < ALWAYS) {
            return;
        }
        boolean written =
                engine.completions.complete(
                        qp.sendCq,
                        qp,
                        qp.cqeIndex,
                        CqeOpcode.REQ,
                        opcode,
                        counter,
                        (int) length,
                        0,
                        false,
                        signal == ALWAYS_EVENT);
        if (!written) {
            engine.fail(qp, EventType.WQ_CATAS_ERROR);
        }
    }

    private boolean unanswered(QpState qp, SendQueue sq) {
        sq.unanswered = true;
        sq.sent = 0;
        engine.sleep(
                qp,
                sq,
                qp.ackTimeout == 0
                        ? SendQueue.FOREVER
                        : TIMEOUT_UNIT_NANOS << Math.min(qp.ackTimeout, 31));
        return false;
    }

    private boolean notReady(QpState qp, SendQueue sq, QpState remote) {
        sq.sent = 0;
        if (qp.rnrRetry != QpState.INFINITE_RNR_RETRY) {
            if (sq.rnrRetriesLeft == 0) {
                String why = "%d retries, and %s has no receive".formatted(qp.rnrRetry, remote);
                return failHead(qp, sq, CqeSyndrome.RNR_RETRY_EXC_ERR, why);
            }
            sq.rnrRetriesLeft--;
        }
        engine.sleep(qp, sq, RnrTimer.nanos(remote.minRnrTimer));
        return false;
    }

    /** Ends the QP with the oldest WQE that is not completed. */
    private void failOldest(QpState qp, SendQueue sq, int syndrome, @Nullable String why) {
        if (sq.inFlight() == 0) {
            wqe.peek(sq, sq.head, sq.producer - sq.head & 0xffff);
            failHead(qp, sq, syndrome, why);
            return;
        }
        int slot = sq.first();
        int counter = sq.indexes[slot];
        int opcode = sq.opcodes[slot];
        sq.pop();
        fail(qp, counter, opcode, syndrome, why);
    }

    /** Ends the QP with the WQE at the head, after what is in flight; always false. */
    private boolean failHead(QpState qp, SendQueue sq, int syndrome, @Nullable String why) {
        if (sq.inFlight() > 0) {
            land(qp, sq);
            if (sq.inFlight() > 0 || qp.state == State.ERR) {
                return false; // Comes here again when the answers are there.
            }
        }
        int counter = sq.head;
        sq.head = counter + wqe.blocks & 0xffff;
        fail(qp, counter, wqe.opcode, syndrome, why);
        return false;
    }

    private void fail(QpState qp, int counter, int opcode, int syndrome, @Nullable String why) {
        if (why != null) {
            engine.findings.report(
                    "%s: send WQE 0x%x (%s): %s: %s"
                            .formatted(
                                    qp,
                                    counter,
                                    WqeOpcode.name(opcode),
                                    CqeSyndrome.name(syndrome),
                                    why));
        }
        engine.completions.fail(
                qp.sendCq, qp, qp.cqeIndex, CqeOpcode.REQ_ERR, opcode, counter, syndrome);
        engine.failSend(qp);
    }
}
