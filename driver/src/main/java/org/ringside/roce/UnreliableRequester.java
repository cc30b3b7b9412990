package org.ringside.roce;

import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Opcode;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Service;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/**
 * Requester of UC and UD (IBTA 9.8.2, 9.8.3): a request is done when its last packet has left. An
 * error stops only the send queue.
 */
final class UnreliableRequester implements Requester {
    /** A work request's Q_Key with this bit means that of the QP (IBTA 10.2.5). */
    private static final int USE_QP_QKEY = 1 << 31;

    private final RoceQp qp;
    private final Transport transport;
    private final SendRequest request;
    private boolean held;
    private long done;
    private int psn;

    UnreliableRequester(RoceQp qp) {
        this.qp = qp;
        this.transport = qp.transport();
        this.request = new SendRequest(qp.options().maxSges(), qp.options().maxInline());
    }

    @Override
    public void start(SendAttributes attributes, long now) {
        psn = attributes.sendPsn();
        held = false;
    }

    @Override
    public boolean transmit(int budget, long now) {
        for (int left = budget; left > 0; ) {
            if (!held && !load()) {
                return false;
            }
            if (request.kind.isLocal()) {
                end(WcStatus.LOC_QP_OP_ERR);
                return false;
            }
            if (qp.congestion().holds(now)) {
                return false;
            }
            Frame frame = transport.link().acquire();
            if (frame == null) {
                transport.count(Counter.LINK_BUSY);
                return true;
            }
            if (!send(frame, now)) {
                transport.link().abandon(frame);
                end(WcStatus.LOC_PROT_ERR);
                return false;
            }
            left--;
        }
        return true;
    }

    private boolean load() {
        request.clear();
        if (qp.state() != QpState.RTS || !qp.sends().next(request)) {
            return false;
        }
        request.length = request.length();
        done = 0;
        held = true;
        WcStatus flaw = flaw();
        if (flaw != WcStatus.SUCCESS) {
            end(flaw);
            return false;
        }
        return true;
    }

    private WcStatus flaw() {
        boolean datagram = qp.service() == Service.UD;
        boolean known =
                switch (request.kind) {
                    case SEND, SEND_IMMEDIATE -> true;
                    case WRITE, WRITE_IMMEDIATE -> !datagram;
                    default -> false;
                };
        if (!known || datagram && request.flow == null) {
            return WcStatus.LOC_QP_OP_ERR;
        }
        long most = datagram ? qp.connection().mtu() : Transport.MAX_MESSAGE;
        return request.length > most ? WcStatus.LOC_LEN_ERR : WcStatus.SUCCESS;
    }

    private boolean send(Frame frame, long now) {
        int mtu = qp.connection().mtu();
        int bytes = (int) Math.min(mtu, request.length - done);
        boolean last = done + bytes == request.length;
        PacketWriter out = transport.writer();
        Flow datagramFlow = request.flow;
        if (qp.service() == Service.UD && datagramFlow != null) {
            Opcode opcode = Opcodes.datagram(request.kind == SendRequest.Kind.SEND_IMMEDIATE);
            out.begin(
                    frame,
                    datagramFlow,
                    opcode,
                    request.destinationQp,
                    psn,
                    false,
                    request.solicited);
            out.datagram((request.qkey & USE_QP_QKEY) != 0 ? qp.qkey() : request.qkey, qp.number());
            MessageOpcodes.headers(out, opcode, request);
        } else {
            Opcode opcode = MessageOpcodes.of(request.kind, Service.UC, done == 0, last);
            Connection to = qp.connection();
            boolean solicited = last && request.solicited;
            out.begin(frame, to.flow(), opcode, to.peerQp(), psn, false, solicited);
            MessageOpcodes.headers(out, opcode, request);
        }
        if (!request.gather(transport.memory(), qp, done, frame.memory(), out.payload(), bytes)) {
            return false;
        }
        out.seal(bytes);
        qp.congestion().sent(frame.length(), now);
        transport.transmit(frame);
        psn = psn + 1 & Psn.MASK;
        done += bytes;
        if (last) {
            end(WcStatus.SUCCESS);
        }
        return true;
    }

    private void end(WcStatus status) {
        held = false;
        qp.owner().sendDone(qp, request, status);
        if (status != WcStatus.SUCCESS) {
            qp.failSends();
        }
        qp.drained();
    }

    @Override
    public void response(Packet packet, long now) {
        transport.count(Counter.STALE_RESPONSE); // Nobody was asked.
    }

    @Override
    public void flush() {
        if (held) {
            held = false;
            qp.owner().sendDone(qp, request, WcStatus.WR_FLUSH_ERR);
        }
        qp.flushSends(request);
    }

    @Override
    public void reset() {
        held = false;
    }

    @Override
    public boolean isIdle() {
        return !held;
    }
}
