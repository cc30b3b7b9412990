package org.ringside.roce;

import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Opcode;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Syndrome;

/** Makes the packets of an {@link RcResponder}, oldest answer first. */
final class RcAnswerSender {
    private final RoceQp qp;
    private final Transport transport;
    private final RcResponder responder;

    RcAnswerSender(RoceQp qp, RcResponder responder) {
        this.qp = qp;
        this.transport = qp.transport();
        this.responder = responder;
    }

    /** True when only the budget was the limit, or the link. */
    boolean transmit(int budget) {
        AnswerQueue answers = responder.answers();
        for (int left = budget; left > 0; left--) {
            if (answers.isEmpty()) {
                return false;
            }
            Frame frame = transport.link().acquire();
            if (frame == null) {
                transport.count(Counter.LINK_BUSY);
                return true;
            }
            Answer answer = answers.oldest();
            switch (answer.kind) {
                case ACK -> {
                    begin(frame, Opcodes.ACKNOWLEDGE, answer).seal(0);
                    answers.removeOldest();
                    transport.transmit(frame);
                }
                case ATOMIC -> {
                    PacketWriter out = begin(frame, Opcodes.ATOMIC_ACKNOWLEDGE, answer);
                    out.original(answer.value);
                    out.seal(0);
                    answers.removeOldest();
                    transport.transmit(frame);
                }
                case READ -> read(frame, answer, answers);
            }
        }
        return true;
    }

    /** One packet of a READ response; its memory is checked anew, it may be gone by now. */
    private void read(Frame frame, Answer answer, AnswerQueue answers) {
        int bytes = (int) Math.min(qp.connection().mtu(), answer.left);
        boolean last = answer.psn == answer.lastPsn;
        Opcode opcode = Opcodes.readResponse(MessageOpcodes.place(answer.fresh, last));
        PacketWriter out = begin(frame, opcode, answer);
        if (bytes > 0
                && !transport
                        .memory()
                        .read(
                                qp.pd(),
                                qp.number(),
                                answer.rkey,
                                Memory.REMOTE_READ,
                                answer.address,
                                frame.memory(),
                                out.payload(),
                                bytes)) {
            answer.syndrome = Syndrome.NAK_REMOTE_ACCESS;
            begin(frame, Opcodes.ACKNOWLEDGE, answer).seal(0);
            answers.clear();
            transport.transmit(frame);
            qp.owner().event(qp, QpOwner.Event.ACCESS_ERROR);
            qp.fail();
            return;
        }
        out.seal(bytes);
        transport.transmit(frame);
        answer.psn++;
        answer.address += bytes;
        answer.left -= bytes;
        answer.fresh = false;
        if (last) {
            answers.removeOldest();
        }
    }

    private PacketWriter begin(Frame frame, Opcode opcode, Answer answer) {
        Connection to = qp.connection();
        PacketWriter out = transport.writer();
        out.begin(frame, to.flow(), opcode, to.peerQp(), Psn.wire(answer.psn), false, false);
        if (opcode.aeth() != Opcode.NONE) {
            out.acknowledge(answer.syndrome, answer.msn);
        }
        return out;
    }
}
