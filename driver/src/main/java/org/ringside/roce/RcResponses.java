package org.ringside.roce;

import org.ringside.roce.packet.Opcode;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Syndrome;
import org.ringside.verbs.WcStatus;

/**
 * Reads the answers to an {@link RcRequester} (IBTA 9.7.5). An answer beyond a READ or atomic that
 * has not been answered itself is an implied NAK: what lies between was lost.
 */
final class RcResponses {
    private final RcRequester requester;
    private final RoceQp qp;
    private final Transport transport;
    private final SendWindow window;

    RcResponses(RcRequester requester) {
        this.requester = requester;
        this.qp = requester.qp;
        this.transport = qp.transport();
        this.window = requester.window;
    }

    void receive(Packet packet, long now) {
        long psn = Psn.unwrap(packet.psn(), requester.unacked);
        if (psn < requester.unacked || psn >= requester.highest) {
            transport.count(Counter.STALE_RESPONSE);
            return;
        }
        switch (packet.opcode().operation()) {
            case ACKNOWLEDGE -> acknowledge(packet.syndrome(), psn, now);
            case READ_RESPONSE -> readResponse(packet, psn, now);
            default -> atomicResponse(packet, psn, now);
        }
    }

    private void acknowledge(int syndrome, long psn, long now) {
        if (Syndrome.isAck(syndrome)) {
            requester.acknowledge(psn, now);
            if (requester.unacked <= psn) {
                impliedNak(now);
            }
            return;
        }
        requester.acknowledge(psn - 1, now);
        if (window.isEmpty()) {
            return; // What came before has failed.
        }
        if (requester.unacked < psn) {
            impliedNak(now);
        } else if (Syndrome.isRnr(syndrome)) {
            transport.count(Counter.RECEIVED_RNR);
            requester.retry.notReady(syndrome, now);
        } else if (syndrome == Syndrome.NAK_SEQUENCE) {
            transport.count(Counter.RECEIVED_NAK_SEQUENCE);
            requester.retry.lost(now);
        } else {
            requester.remoteError(syndrome);
        }
    }

    private void impliedNak(long now) {
        if (!window.isEmpty() && window.oldest().kind.isReadOrAtomic()) {
            transport.count(Counter.IMPLIED_NAK);
            requester.retry.lost(now);
        }
    }

    /** Whether everything before the answer is answered, so that it is for the oldest request. */
    private boolean isInOrder(long psn, long now) {
        requester.acknowledge(psn - 1, now);
        if (requester.unacked < psn) {
            impliedNak(now);
            return false;
        }
        return !window.isEmpty();
    }

    private void readResponse(Packet packet, long psn, long now) {
        if (!isInOrder(psn, now)) {
            return;
        }
        SendRequest request = window.oldest();
        if (request.kind != SendRequest.Kind.READ || !isWellFormed(packet, request, psn)) {
            requester.fail(WcStatus.BAD_RESP_ERR);
            return;
        }
        long done = (psn - request.firstPsn) * qp.connection().mtu();
        if (!request.sges()
                .scatter(
                        transport.memory(),
                        qp,
                        done,
                        packet.frame().memory(),
                        packet.payload(),
                        packet.payloadLength())) {
            requester.fail(WcStatus.LOC_PROT_ERR);
            return;
        }
        answered(request, psn, now);
    }

    /**
     * The packet has the length that its PSN asks for, and is marked as the end if it is the end. A
     * response that was asked for again may begin anywhere, with FIRST or ONLY.
     */
    private boolean isWellFormed(Packet packet, SendRequest request, long psn) {
        Opcode opcode = packet.opcode();
        if (opcode.aeth() != Opcode.NONE && !Syndrome.isAck(packet.syndrome())) {
            return false;
        }
        int mtu = qp.connection().mtu();
        long left = request.length - (psn - request.firstPsn) * mtu;
        return packet.payloadLength() == Math.min(mtu, left)
                && opcode.place().ends() == (psn == request.lastPsn);
    }

    private void atomicResponse(Packet packet, long psn, long now) {
        if (!isInOrder(psn, now)) {
            return;
        }
        SendRequest request = window.oldest();
        if (!request.kind.isAtomic() || !Syndrome.isAck(packet.syndrome())) {
            requester.fail(WcStatus.BAD_RESP_ERR);
            return;
        }
        if (!request.sges()
                .scatter(
                        transport.memory(),
                        qp,
                        0,
                        transport.hostOrder(packet.original()),
                        0,
                        Long.BYTES)) {
            requester.fail(WcStatus.LOC_PROT_ERR);
            return;
        }
        answered(request, psn, now);
    }

    private void answered(SendRequest request, long psn, long now) {
        requester.unacked = psn + 1;
        if (psn == request.lastPsn) {
            requester.complete(WcStatus.SUCCESS);
        }
        requester.progress(now);
    }
}
