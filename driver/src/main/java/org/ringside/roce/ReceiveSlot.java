package org.ringside.roce;

import org.ringside.roce.packet.Packet;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/** The receive request that a responder holds, and how much of it is filled. */
final class ReceiveSlot {
    private final RoceQp qp;
    private final ReceiveRequest request;
    private boolean held;
    private long filled;

    ReceiveSlot(RoceQp qp) {
        this.qp = qp;
        this.request = new ReceiveRequest(qp.options().maxSges());
    }

    /** Holds a request, the one it has or the next; false when none is posted. */
    boolean take() {
        if (!held) {
            request.clear();
            held = qp.receives().next(request);
        }
        filled = 0;
        return held;
    }

    boolean isHeld() {
        return held;
    }

    long filled() {
        return filled;
    }

    boolean hasRoom(long bytes) {
        return filled + bytes <= request.sges().total();
    }

    /** Appends a packet's payload; false when the local memory refuses. */
    boolean append(Packet packet) {
        if (!request.sges()
                .scatter(
                        qp.transport().memory(),
                        qp,
                        filled,
                        packet.frame().memory(),
                        packet.payload(),
                        packet.payloadLength())) {
            return false;
        }
        filled += packet.payloadLength();
        return true;
    }

    ReceiveRequest request() {
        return request;
    }

    /** Counts bytes that were put there by other means. */
    void advance(int bytes) {
        filled += bytes;
    }

    /** The message is complete. */
    void complete(Packet packet, WcOpcode opcode, long byteLength) {
        Received received = qp.transport().received();
        received.clear();
        received.opcode = opcode;
        received.byteLength = byteLength;
        received.solicited = packet.solicited();
        if (packet.opcode().hasImmediate()) {
            received.hasImmediate = true;
            received.immediate = packet.immediate();
        }
        if (packet.opcode().hasInvalidate()) {
            received.hasInvalidated = true;
            received.invalidatedKey = packet.invalidatedKey();
        }
        end(WcStatus.SUCCESS, received);
    }

    /** The message failed. */
    void fail(WcStatus status) {
        if (held) {
            Received received = qp.transport().received();
            received.clear();
            end(status, received);
        }
    }

    /** Gives the request back to its owner. */
    void end(WcStatus status, Received received) {
        held = false;
        qp.owner().receiveDone(qp, request, status, received);
    }

    /** In ERR: ends what is held, and what is posted unless the queue is shared. */
    void flush() {
        fail(WcStatus.WR_FLUSH_ERR);
        if (qp.receives().isShared()) {
            return;
        }
        Received received = qp.transport().received();
        received.clear();
        request.clear();
        while (qp.receives().next(request)) {
            qp.owner().receiveDone(qp, request, WcStatus.WR_FLUSH_ERR, received);
            request.clear();
        }
    }

    /** To RESET: forgets what is held. */
    void reset() {
        held = false;
        filled = 0;
    }
}
