package org.ringside.roce;

import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Syndrome;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/**
 * Requester of a reliable connection (IBTA 9.7.3, 9.7.5): what has been acknowledged, what comes
 * next, and when to go back.
 *
 * <pre>
 *      unacked            next            highest          limit
 *         v                v                 v               v
 *   ------|== in flight ===|== sent before ==|= loaded, new =|
 *           a retry moves next back to unacked
 * </pre>
 *
 * {@link RcRequestSender} makes the packets, {@link RcRetry} knows when to repeat, {@link
 * RcResponses} reads answers; this class holds the numbers and completes requests.
 */
final class RcRequester implements Requester {
    final RoceQp qp;
    final SendWindow window;
    final RcRetry retry;
    private final RcRequestSender sender;
    private final RcResponses responses;
    private SendAttributes attributes = new SendAttributes(0, 0, 0, 0, 0);

    /** Oldest PSN that has no answer. */
    long unacked;

    /** PSN of the next packet. */
    long next;

    /** PSN after the highest that was ever sent. */
    long highest;

    /** PSN after the last loaded request. */
    long limit;

    /** Position of the request that {@link #next} belongs to. */
    long cursor;

    /** READs and atomics that were sent and have not completed. */
    int outstandingReads;

    RcRequester(RoceQp qp) {
        this.qp = qp;
        window = new SendWindow(qp.options());
        retry = new RcRetry(this);
        sender = new RcRequestSender(this);
        responses = new RcResponses(this);
    }

    SendAttributes attributes() {
        return attributes;
    }

    @Override
    public void start(SendAttributes with, long now) {
        attributes = with;
        long first = Psn.start(with.sendPsn());
        unacked = first;
        next = first;
        highest = first;
        limit = first;
        cursor = window.head();
        outstandingReads = 0;
        sender.start(first);
        retry.start(now);
    }

    @Override
    public boolean transmit(int budget, long now) {
        return sender.transmit(budget, now);
    }

    @Override
    public void response(Packet packet, long now) {
        responses.receive(packet, now);
        if (qp.state() == QpState.SQD) {
            qp.drained();
        }
    }

    /** Whether anything waits for an answer. */
    boolean isWaiting() {
        return unacked < highest;
    }

    @Override
    public boolean isIdle() {
        return window.isEmpty();
    }

    /** Loads what was posted next; false when nothing was, or the window is full. */
    boolean load() {
        if (window.isFull() || qp.state() != QpState.RTS) {
            return false;
        }
        SendRequest request = window.free();
        request.clear();
        if (!qp.sends().next(request)) {
            return false;
        }
        request.length = request.length();
        request.firstPsn = limit;
        limit += packets(request);
        request.lastPsn = limit - 1;
        request.failure = flaw(request);
        window.append();
        return true;
    }

    private long packets(SendRequest request) {
        if (request.kind.isLocal()) {
            return 0;
        }
        return request.kind.isAtomic() ? 1 : Psn.packets(request.length, qp.connection().mtu());
    }

    /** What is wrong with a request before anything of it is sent. */
    private static WcStatus flaw(SendRequest request) {
        if (request.length > Transport.MAX_MESSAGE) {
            return WcStatus.LOC_LEN_ERR;
        }
        if (request.kind.isAtomic() && request.length != Long.BYTES) {
            return WcStatus.LOC_LEN_ERR;
        }
        return WcStatus.SUCCESS;
    }

    /**
     * All requests up to this PSN are answered, as far as an ACK can answer: not READs and atomics,
     * which need their own.
     */
    void acknowledge(long psn, long now) {
        long before = unacked;
        while (!window.isEmpty() && unacked <= psn) {
            SendRequest request = window.oldest();
            if (request.kind.isLocal() || request.kind.isReadOrAtomic()) {
                break;
            }
            unacked = Math.min(psn, request.lastPsn) + 1;
            if (psn < request.lastPsn) {
                break;
            }
            complete(WcStatus.SUCCESS);
        }
        if (unacked != before) {
            progress(now);
        }
    }

    /** The oldest request ends. */
    void complete(WcStatus status) {
        SendRequest request = window.oldest();
        if (request.counted) {
            outstandingReads--;
        }
        window.removeOldest();
        cursor = Math.max(cursor, window.head());
        qp.owner().sendDone(qp, request, status);
    }

    /** Something new was answered. */
    void progress(long now) {
        next = Math.max(next, unacked);
        retry.progress(now);
        qp.kick();
        failIfItsTurn();
    }

    /** A request that cannot be sent fails when all before it have ended. */
    boolean failIfItsTurn() {
        if (!window.isEmpty() && window.oldest().failure != WcStatus.SUCCESS) {
            fail(window.oldest().failure);
            return true;
        }
        return false;
    }

    /** The oldest request ends in an error, and with it the connection. */
    void fail(WcStatus status) {
        if (!window.isEmpty()) {
            complete(status);
        }
        qp.fail();
    }

    /** Back to the oldest PSN without an answer. */
    void goBack() {
        next = unacked; // It belongs to the oldest request.
        cursor = window.head();
        retry.wentBack();
        qp.kick();
    }

    /** Reads answer of the peer that ends the connection. */
    void remoteError(int syndrome) {
        qp.transport().count(Counter.RECEIVED_NAK_ERROR);
        fail(
                switch (syndrome) {
                    case Syndrome.NAK_INVALID_REQUEST -> WcStatus.REM_INV_REQ_ERR;
                    case Syndrome.NAK_REMOTE_ACCESS -> WcStatus.REM_ACCESS_ERR;
                    case Syndrome.NAK_REMOTE_OPERATION -> WcStatus.REM_OP_ERR;
                    default -> WcStatus.BAD_RESP_ERR;
                });
    }

    @Override
    public void flush() {
        retry.stop();
        while (!window.isEmpty()) {
            complete(WcStatus.WR_FLUSH_ERR);
        }
        qp.flushSends(window.free());
    }

    @Override
    public void reset() {
        retry.stop();
        window.clear();
        outstandingReads = 0;
    }
}
