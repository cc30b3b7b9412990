package org.ringside.roce;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Opcode;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Psn;
import org.ringside.verbs.WcStatus;

/** Makes the packets of an {@link RcRequester}, as far as the rules let it go on. */
final class RcRequestSender {
    /** An answer is asked for at least this often, so that windows move. */
    private static final int ACK_EVERY = 32;

    private final RcRequester requester;
    private final RoceQp qp;
    private final Transport transport;
    private final SendWindow window;
    private long lastAckRequest;

    RcRequestSender(RcRequester requester) {
        this.requester = requester;
        this.qp = requester.qp;
        this.transport = qp.transport();
        this.window = requester.window;
    }

    /** From this PSN on. */
    void start(long psn) {
        lastAckRequest = psn - 1;
    }

    /** True when only the budget was the limit, or the link. */
    boolean transmit(int budget, long now) {
        for (int left = budget; left > 0; ) {
            SendRequest request = current();
            if (request == null) {
                return false;
            }
            if (request.kind.isLocal()) {
                if (!execute(request)) {
                    return false;
                }
                continue;
            }
            if (!mayGo(request) || qp.congestion().holds(now)) {
                return false;
            }
            Frame frame = transport.link().acquire();
            if (frame == null) {
                transport.count(Counter.LINK_BUSY);
                return true;
            }
            if (!send(request, frame, now)) {
                transport.link().abandon(frame);
                request.failure = WcStatus.LOC_PROT_ERR;
                requester.failIfItsTurn();
                return false;
            }
            left--;
        }
        return true;
    }

    /** The request whose packet is next; null when there is none, or it failed. */
    private @Nullable SendRequest current() {
        if (requester.retry.isNotReady()) {
            return null;
        }
        if (requester.cursor == window.tail() && !requester.load()) {
            return null;
        }
        SendRequest request = window.at(requester.cursor);
        if (request.failure != WcStatus.SUCCESS) {
            requester.failIfItsTurn();
            return null;
        }
        return request;
    }

    /** Local work is done when all before it has ended; it needs no packet. */
    private boolean execute(SendRequest request) {
        if (requester.cursor != window.head()) {
            return false;
        }
        Memory memory = transport.memory();
        boolean done =
                request.kind == SendRequest.Kind.BIND
                        ? memory.bind(qp.pd(), qp.number(), request)
                        : memory.invalidate(qp.pd(), qp.number(), request.immediate, false);
        if (done) {
            requester.complete(WcStatus.SUCCESS);
            return true;
        }
        requester.fail(
                request.kind == SendRequest.Kind.BIND
                        ? WcStatus.MW_BIND_ERR
                        : WcStatus.LOC_QP_OP_ERR);
        return false;
    }

    /** Whether the rules let the next packet of this request go now. */
    private boolean mayGo(SendRequest request) {
        boolean isNew = requester.next >= requester.highest && requester.next == request.firstPsn;
        if (isNew && request.fence && requester.outstandingReads > 0) {
            return false;
        }
        if (isNew
                && request.kind.isReadOrAtomic()
                && requester.outstandingReads >= requester.attributes().maxRdAtomic()) {
            return false;
        }
        return requester.next - requester.unacked < transport.options().window();
    }

    private boolean send(SendRequest request, Frame frame, long now) {
        long psn = requester.next;
        boolean built =
                switch (request.kind) {
                    case READ -> read(request, frame, psn);
                    case COMPARE_SWAP, FETCH_ADD -> atomic(request, frame, psn);
                    default -> data(request, frame, psn);
                };
        if (!built) {
            return false;
        }
        qp.congestion().sent(frame.length(), now);
        transport.transmit(frame);
        boolean firstTime = psn >= requester.highest;
        if (!firstTime) {
            transport.count(Counter.RETRANSMITTED_PACKETS);
        }
        if (request.kind.isReadOrAtomic() && !request.counted) {
            request.counted = true;
            requester.outstandingReads++;
        }
        // A READ takes as many PSNs as its response has packets.
        requester.next = request.kind == SendRequest.Kind.READ ? request.lastPsn + 1 : psn + 1;
        requester.highest = Math.max(requester.highest, requester.next);
        if (requester.next > request.lastPsn) {
            requester.cursor++;
        }
        requester.retry.sent(psn, firstTime, lastAckRequest == psn, now);
        return true;
    }

    /** A READ request, or the rest of one whose response was lost in part. */
    private boolean read(SendRequest request, Frame frame, long psn) {
        long done = (psn - request.firstPsn) * qp.connection().mtu();
        PacketWriter out = begin(frame, Opcodes.READ_REQUEST, psn, true, false);
        out.rdma(request.remoteAddress + done, request.rkey, request.length - done);
        out.seal(0);
        return true;
    }

    private boolean atomic(SendRequest request, Frame frame, long psn) {
        boolean add = request.kind == SendRequest.Kind.FETCH_ADD;
        Opcode opcode = add ? Opcodes.FETCH_ADD : Opcodes.COMPARE_SWAP;
        PacketWriter out = begin(frame, opcode, psn, true, false);
        out.atomic(
                request.remoteAddress, request.rkey, request.swapOrAdd, add ? 0 : request.compare);
        out.seal(0);
        return true;
    }

    /** One packet of a SEND or WRITE. */
    private boolean data(SendRequest request, Frame frame, long psn) {
        int mtu = qp.connection().mtu();
        long done = (psn - request.firstPsn) * mtu;
        int bytes = (int) Math.min(mtu, request.length - done);
        boolean first = psn == request.firstPsn;
        boolean last = psn == request.lastPsn;
        Opcode opcode = MessageOpcodes.of(request.kind, qp.service(), first, last);
        PacketWriter out =
                begin(frame, opcode, psn, last || isAckDue(psn), last && request.solicited);
        MessageOpcodes.headers(out, opcode, request);
        if (!request.gather(transport.memory(), qp, done, frame.memory(), out.payload(), bytes)) {
            return false;
        }
        out.seal(bytes);
        return true;
    }

    /** Long messages ask for an answer on their way, and before the window closes. */
    private boolean isAckDue(long psn) {
        return psn - lastAckRequest >= ACK_EVERY
                || psn - requester.unacked == transport.options().window() - 1
                || psn < lastAckRequest;
    }

    private PacketWriter begin(
            Frame frame, Opcode opcode, long psn, boolean ackRequest, boolean solicited) {
        if (ackRequest) {
            lastAckRequest = psn;
        }
        Connection to = qp.connection();
        PacketWriter out = transport.writer();
        out.begin(frame, to.flow(), opcode, to.peerQp(), Psn.wire(psn), ackRequest, solicited);
        return out;
    }
}
