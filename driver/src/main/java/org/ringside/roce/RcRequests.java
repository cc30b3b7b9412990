package org.ringside.roce;

import org.ringside.roce.packet.Operation;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Place;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Syndrome;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/**
 * Runs the request packets that come in order: opcode sequence, length, rights, memory, in the
 * order in which IBTA 9.7.4.1 has the checks. Nothing is touched before all checks are through.
 */
final class RcRequests {
    private final RoceQp qp;
    private final Memory memory;
    private final RcResponder responder;
    private final ReceiveSlot receive;

    // The message under way, if there is one.
    private boolean inMessage;
    private Operation operation = Operation.SEND;
    private long address;
    private int rkey;
    private long length;
    private long left;

    RcRequests(RoceQp qp, RcResponder responder, ReceiveSlot receive) {
        this.qp = qp;
        this.memory = qp.transport().memory();
        this.responder = responder;
        this.receive = receive;
    }

    void start() {
        inMessage = false;
    }

    void run(Packet packet) {
        if (!isInSequence(packet) || !hasRightLength(packet)) {
            invalid(WcStatus.REM_INV_REQ_ERR);
            return;
        }
        switch (packet.opcode().operation()) {
            case SEND -> send(packet);
            case WRITE -> write(packet);
            case READ_REQUEST -> read(packet);
            default -> atomic(packet);
        }
    }

    /** First or only when no message is under way, else more of the same (9.7.4.1.2). */
    private boolean isInSequence(Packet packet) {
        Place place = packet.opcode().place();
        return inMessage
                ? !place.begins() && packet.opcode().operation() == operation
                : place.begins();
    }

    /** Full packets up to the last, which is not empty (9.7.4.1.6). */
    private boolean hasRightLength(Packet packet) {
        int mtu = qp.connection().mtu();
        int bytes = packet.payloadLength();
        if (!packet.opcode().carriesPayload()) {
            return bytes == 0;
        }
        return switch (packet.opcode().place()) {
            case FIRST, MIDDLE -> bytes == mtu;
            case LAST -> bytes > 0 && bytes <= mtu;
            case ONLY -> bytes <= mtu;
        };
    }

    private void begin(Operation what) {
        inMessage = true;
        operation = what;
    }

    private void taken(Packet packet) {
        boolean ends = packet.opcode().place().ends();
        if (ends) {
            inMessage = false;
        }
        responder.taken(1, ends);
    }

    private void send(Packet packet) {
        boolean begins = packet.opcode().place().begins();
        if (begins && !receive.take()) {
            responder.notReady();
            return;
        }
        if (!receive.hasRoom(packet.payloadLength())) {
            invalid(WcStatus.LOC_LEN_ERR);
            return;
        }
        if (packet.opcode().hasInvalidate()
                && !memory.invalidate(qp.pd(), qp.number(), packet.invalidatedKey(), true)) {
            denied(WcStatus.REM_ACCESS_ERR);
            return;
        }
        if (!receive.append(packet)) {
            failed(WcStatus.LOC_PROT_ERR);
            return;
        }
        begin(Operation.SEND);
        taken(packet);
        if (packet.opcode().place().ends()) {
            receive.complete(packet, WcOpcode.RECV, receive.filled());
        }
        responder.acknowledge(packet);
    }

    private void write(Packet packet) {
        boolean begins = packet.opcode().place().begins();
        if (begins && !mayWrite(packet)) {
            return;
        }
        int bytes = packet.payloadLength();
        boolean ends = packet.opcode().place().ends();
        if (ends ? bytes != left : bytes >= left) {
            invalid(WcStatus.REM_INV_REQ_ERR);
            return;
        }
        if (packet.opcode().hasImmediate() && !receive.take()) {
            responder.notReady();
            return;
        }
        if (bytes > 0 && !store(packet, bytes)) {
            denied(WcStatus.LOC_ACCESS_ERR);
            return;
        }
        begin(Operation.WRITE);
        address += bytes;
        left -= bytes;
        taken(packet);
        if (packet.opcode().hasImmediate()) {
            receive.complete(packet, WcOpcode.RECV_RDMA_WITH_IMM, length);
        }
        responder.acknowledge(packet);
    }

    /** Checks the whole range that a WRITE names, before its first byte. */
    private boolean mayWrite(Packet packet) {
        if (!isAllowed(Memory.REMOTE_WRITE) || packet.rdmaLength() > Transport.MAX_MESSAGE) {
            invalid(WcStatus.REM_INV_REQ_ERR);
            return false;
        }
        address = packet.address();
        rkey = packet.rkey();
        length = packet.rdmaLength();
        left = length;
        if (length > 0 && !permits(Memory.REMOTE_WRITE, address, length)) {
            denied(WcStatus.LOC_ACCESS_ERR);
            return false;
        }
        return true;
    }

    private boolean store(Packet packet, int bytes) {
        return memory.write(
                qp.pd(),
                qp.number(),
                rkey,
                Memory.REMOTE_WRITE,
                address,
                packet.frame().memory(),
                packet.payload(),
                bytes);
    }

    private void read(Packet packet) {
        long bytes = packet.rdmaLength();
        if (!isAllowed(Memory.REMOTE_READ)
                || bytes > Transport.MAX_MESSAGE
                || responder.answers().newReads() >= responder.history().size()) {
            invalid(WcStatus.REM_INV_REQ_ERR);
            return;
        }
        rkey = packet.rkey();
        if (bytes > 0 && !permits(Memory.REMOTE_READ, packet.address(), bytes)) {
            denied(WcStatus.LOC_ACCESS_ERR);
            return;
        }
        if (!responder.answers().hasRoom()) {
            qp.transport().count(Counter.NO_ROOM_FOR_ANSWER);
            return;
        }
        long first = responder.expected();
        long packets = Psn.packets(bytes, qp.connection().mtu());
        responder.taken(packets, true);
        responder.history().read(first, first + packets - 1, packet.address(), rkey, bytes);
        responder
                .answers()
                .read(
                        first,
                        first + packets - 1,
                        responder.msn(),
                        packet.address(),
                        rkey,
                        bytes,
                        false);
        qp.kick();
    }

    private void atomic(Packet packet) {
        if (!isAllowed(Memory.REMOTE_ATOMIC)
                || (packet.address() & Long.BYTES - 1) != 0
                || responder.history().size() == 0) {
            invalid(WcStatus.REM_INV_REQ_ERR);
            return;
        }
        if (!responder.answers().hasRoom()) {
            qp.transport().count(Counter.NO_ROOM_FOR_ANSWER);
            return;
        }
        rkey = packet.rkey();
        boolean done =
                packet.opcode().operation() == Operation.FETCH_ADD
                        ? memory.fetchAdd(
                                qp.pd(), qp.number(), rkey, packet.address(), packet.swapOrAdd())
                        : memory.compareSwap(
                                qp.pd(),
                                qp.number(),
                                rkey,
                                packet.address(),
                                packet.compare(),
                                packet.swapOrAdd());
        if (!done) {
            denied(WcStatus.LOC_ACCESS_ERR);
            return;
        }
        long psn = responder.expected();
        responder.taken(1, true);
        responder.history().atomic(psn, packet.address(), rkey, memory.original());
        responder.answers().atomic(psn, responder.msn(), memory.original());
        qp.kick();
    }

    private boolean isAllowed(int right) {
        return (qp.connection().access() & right) == right;
    }

    private boolean permits(int right, long from, long bytes) {
        return memory.permits(qp.pd(), qp.number(), rkey, right, from, bytes);
    }

    private void invalid(WcStatus receiveStatus) {
        responder.refuse(Syndrome.NAK_INVALID_REQUEST, receiveStatus, QpOwner.Event.REQUEST_ERROR);
    }

    private void denied(WcStatus receiveStatus) {
        responder.refuse(Syndrome.NAK_REMOTE_ACCESS, receiveStatus, QpOwner.Event.ACCESS_ERROR);
    }

    private void failed(WcStatus receiveStatus) {
        responder.refuse(Syndrome.NAK_REMOTE_OPERATION, receiveStatus, QpOwner.Event.FATAL);
    }
}
