package org.ringside.roce;

import org.ringside.roce.packet.Opcode;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Place;
import org.ringside.roce.packet.Service;

/** Which opcode a packet of a SEND or WRITE has, and what its extension headers say. */
final class MessageOpcodes {
    private MessageOpcodes() {}

    static Opcode of(SendRequest.Kind kind, Service service, boolean first, boolean last) {
        if (last) {
            switch (kind) {
                case SEND_IMMEDIATE -> {
                    return Opcodes.sendImmediate(service, first);
                }
                case WRITE_IMMEDIATE -> {
                    return Opcodes.writeImmediate(service, first);
                }
                case SEND_INVALIDATE -> {
                    return Opcodes.sendInvalidate(first);
                }
                default -> {}
            }
        }
        Place place = place(first, last);
        return kind.isSend() ? Opcodes.send(service, place) : Opcodes.write(service, place);
    }

    static Place place(boolean first, boolean last) {
        if (first) {
            return last ? Place.ONLY : Place.FIRST;
        }
        return last ? Place.LAST : Place.MIDDLE;
    }

    /** Writes the headers that the opcode has. */
    static void headers(PacketWriter out, Opcode opcode, SendRequest request) {
        if (opcode.reth() != Opcode.NONE) {
            out.rdma(request.remoteAddress, request.rkey, request.length);
        }
        if (opcode.hasImmediate()) {
            out.immediate(request.immediate);
        }
        if (opcode.hasInvalidate()) {
            out.invalidate(request.immediate);
        }
    }
}
