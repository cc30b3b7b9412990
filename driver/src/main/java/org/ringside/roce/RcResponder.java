package org.ringside.roce;

import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Syndrome;
import org.ringside.verbs.WcStatus;

/**
 * Responder of a reliable connection (IBTA 9.7.4): takes requests strictly by PSN.
 *
 * <pre>
 *   PSN behind expected     repeated    answered again, run never again
 *   PSN expected            new         checked, run, answered
 *   PSN ahead of expected   a loss      one NAK, until the expected one comes
 * </pre>
 *
 * {@link RcRequests} runs new requests.
 */
final class RcResponder implements Responder {
    private final RoceQp qp;
    private final Transport transport;
    private final ReceiveSlot receive;
    private final RcRequests requests;
    private final RcAnswerSender sender;
    private AnswerQueue answers = new AnswerQueue(0);
    private RequestHistory history = new RequestHistory(0);
    private long expected;
    private int msn;

    /** The last packet of a SEND or WRITE that was taken: an ACK may name its PSN. */
    private long acknowledgeable;

    /** The loss, or the want of a receive, at the expected PSN has been reported. */
    private boolean reported;

    RcResponder(RoceQp qp) {
        this.qp = qp;
        this.transport = qp.transport();
        this.receive = new ReceiveSlot(qp);
        this.requests = new RcRequests(qp, this, receive);
        this.sender = new RcAnswerSender(qp, this);
    }

    @Override
    public void start(Connection connection) {
        expected = Psn.start(connection.receivePsn());
        acknowledgeable = expected - 1;
        msn = 0;
        reported = false;
        answers = new AnswerQueue(connection.maxDestRdAtomic());
        history = new RequestHistory(connection.maxDestRdAtomic());
        requests.start();
    }

    AnswerQueue answers() {
        return answers;
    }

    RequestHistory history() {
        return history;
    }

    long expected() {
        return expected;
    }

    int msn() {
        return msn;
    }

    @Override
    public void request(Packet packet, long now) {
        long psn = Psn.unwrap(packet.psn(), expected);
        if (psn > expected) {
            transport.count(Counter.OUT_OF_SEQUENCE_REQUEST);
            if (!reported) {
                transport.count(Counter.SENT_NAK_SEQUENCE);
                report(Syndrome.NAK_SEQUENCE);
            }
        } else if (psn < expected) {
            repeated(packet, psn);
        } else {
            reported = false;
            requests.run(packet);
        }
    }

    /** Tells once that the expected PSN could not be taken. */
    private void report(int syndrome) {
        reported = true;
        answers.acknowledge(expected, syndrome, msn);
        qp.kick();
    }

    // ---- what RcRequests found

    /** The packet was taken; it used this many PSNs. */
    void taken(long packets, boolean endsMessage) {
        expected += packets;
        if (endsMessage) {
            msn = msn + 1 & Psn.MASK;
        }
    }

    /** Answers the packet of a SEND or WRITE that was taken last, if it asks for it. */
    void acknowledge(Packet packet) {
        acknowledgeable = expected - 1;
        if (packet.ackRequest()) {
            answers.acknowledge(acknowledgeable, Syndrome.ACK, msn);
            qp.kick();
        }
    }

    /** No receive is posted: the peer shall come again later. */
    void notReady() {
        transport.count(Counter.SENT_RNR);
        report(Syndrome.RNR | qp.connection().minRnrTimer());
    }

    /** The request ends the connection. */
    void refuse(int syndrome, WcStatus receiveStatus, QpOwner.Event event) {
        transport.count(Counter.SENT_NAK_ERROR);
        boolean hadReceive = receive.isHeld();
        receive.fail(receiveStatus);
        report(syndrome);
        if (!hadReceive) {
            qp.owner().event(qp, event);
        }
        qp.fail();
    }

    // ---- repeated requests (9.7.5.1.2)

    private void repeated(Packet packet, long psn) {
        switch (packet.opcode().operation()) {
            case SEND, WRITE -> {
                // Answered even if nobody asked: the sender has missed the answer. Never by the PSN
                // of a
                // READ or atomic: rxe takes such an ACK for its response, and completes it without
                // data.
                transport.count(Counter.DUPLICATE_REQUEST);
                answers.acknowledge(acknowledgeable, Syndrome.ACK, msn);
                qp.kick();
            }
            case READ_REQUEST -> repeatedRead(packet, psn);
            default -> repeatedAtomic(packet, psn);
        }
    }

    /** A READ again, or the rest of it: the same bytes by the same key, or nothing. */
    private void repeatedRead(Packet packet, long psn) {
        RequestHistory.Entry entry = history.find(psn);
        if (entry == null || entry.atomic) {
            transport.count(Counter.DUPLICATE_FORGOTTEN);
            return;
        }
        long skipped = (psn - entry.firstPsn) * qp.connection().mtu();
        long length = packet.rdmaLength();
        boolean same =
                length == 0 && entry.length == 0
                        || packet.rkey() == entry.rkey
                                && packet.address() == entry.address + skipped
                                && length > 0
                                && length <= entry.length - skipped;
        if (!same) {
            transport.count(Counter.DUPLICATE_FORGOTTEN);
            return;
        }
        transport.count(Counter.DUPLICATE_REQUEST);
        long last = psn + Psn.packets(length, qp.connection().mtu()) - 1;
        if (!answers.read(psn, last, msn, packet.address(), entry.rkey, length, true)) {
            transport.count(Counter.NO_ROOM_FOR_ANSWER);
        }
        qp.kick();
    }

    private void repeatedAtomic(Packet packet, long psn) {
        RequestHistory.Entry entry = history.find(psn);
        if (entry == null
                || !entry.atomic
                || entry.address != packet.address()
                || entry.rkey != packet.rkey()) {
            transport.count(Counter.DUPLICATE_FORGOTTEN);
            return;
        }
        transport.count(Counter.DUPLICATE_REQUEST);
        if (!answers.atomic(psn, msn, entry.value)) {
            transport.count(Counter.NO_ROOM_FOR_ANSWER);
        }
        qp.kick();
    }

    @Override
    public boolean transmit(int budget, long now) {
        return sender.transmit(budget);
    }

    @Override
    public void flush() {
        receive.flush();
    }

    @Override
    public void reset() {
        receive.reset();
        answers.clear();
    }
}
