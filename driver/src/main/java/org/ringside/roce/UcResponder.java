package org.ringside.roce;

import org.ringside.roce.packet.Operation;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Place;
import org.ringside.roce.packet.Psn;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/**
 * Responder of an unreliable connection (IBTA 9.8.2): never answers. A gap, a bad key or the want
 * of a receive costs the message; the next one begins anew, into the same receive.
 */
final class UcResponder implements Responder {
    private final RoceQp qp;
    private final Transport transport;
    private final ReceiveSlot receive;
    private long expected;
    private boolean inMessage;
    private Operation operation = Operation.SEND;
    private long address;
    private int rkey;
    private long length;
    private long left;

    UcResponder(RoceQp qp) {
        this.qp = qp;
        this.transport = qp.transport();
        this.receive = new ReceiveSlot(qp);
    }

    @Override
    public void start(Connection connection) {
        expected = Psn.start(connection.receivePsn());
        inMessage = false;
    }

    @Override
    public void request(Packet packet, long now) {
        long psn = Psn.unwrap(packet.psn(), expected);
        Place place = packet.opcode().place();
        boolean follows = psn == expected && inMessage && packet.opcode().operation() == operation;
        if (inMessage && (!follows || place.begins())) {
            drop();
        }
        expected = psn + 1;
        if (!place.begins() && !inMessage) {
            return; // Rest of a message that is lost already.
        }
        if (!hasRightLength(packet) || !take(packet)) {
            drop();
        }
    }

    private void drop() {
        transport.count(Counter.UC_MESSAGE_DROPPED);
        inMessage = false;
    }

    private boolean hasRightLength(Packet packet) {
        int mtu = qp.connection().mtu();
        int bytes = packet.payloadLength();
        return switch (packet.opcode().place()) {
            case FIRST, MIDDLE -> bytes == mtu;
            case LAST -> bytes > 0 && bytes <= mtu;
            case ONLY -> bytes <= mtu;
        };
    }

    private boolean take(Packet packet) {
        boolean taken =
                packet.opcode().operation() == Operation.SEND ? send(packet) : write(packet);
        inMessage = taken && !packet.opcode().place().ends();
        operation = packet.opcode().operation();
        return taken;
    }

    private boolean send(Packet packet) {
        if (packet.opcode().place().begins() && !receive.take()) {
            return false;
        }
        if (!receive.hasRoom(packet.payloadLength())) {
            return false;
        }
        if (!receive.append(packet)) {
            receive.fail(WcStatus.LOC_PROT_ERR);
            qp.fail();
            return false;
        }
        if (packet.opcode().place().ends()) {
            receive.complete(packet, WcOpcode.RECV, receive.filled());
        }
        return true;
    }

    private boolean write(Packet packet) {
        if (packet.opcode().place().begins() && !mayWrite(packet)) {
            return false;
        }
        int bytes = packet.payloadLength();
        boolean ends = packet.opcode().place().ends();
        if (ends ? bytes != left : bytes >= left) {
            return false;
        }
        if (packet.opcode().hasImmediate() && !receive.take()) {
            return false;
        }
        if (bytes > 0
                && !transport
                        .memory()
                        .write(
                                qp.pd(),
                                qp.number(),
                                rkey,
                                Memory.REMOTE_WRITE,
                                address,
                                packet.frame().memory(),
                                packet.payload(),
                                bytes)) {
            return false;
        }
        address += bytes;
        left -= bytes;
        if (packet.opcode().hasImmediate()) {
            receive.complete(packet, WcOpcode.RECV_RDMA_WITH_IMM, length);
        }
        return true;
    }

    private boolean mayWrite(Packet packet) {
        address = packet.address();
        rkey = packet.rkey();
        length = packet.rdmaLength();
        left = length;
        boolean allowed = (qp.connection().access() & Memory.REMOTE_WRITE) != 0;
        return allowed
                && length <= Transport.MAX_MESSAGE
                && (length == 0
                        || transport
                                .memory()
                                .permits(
                                        qp.pd(),
                                        qp.number(),
                                        rkey,
                                        Memory.REMOTE_WRITE,
                                        address,
                                        length));
    }

    @Override
    public boolean transmit(int budget, long now) {
        return false;
    }

    @Override
    public void flush() {
        receive.flush();
    }

    @Override
    public void reset() {
        receive.reset();
    }
}
