package org.ringside.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Ip;
import org.ringside.roce.packet.Packet;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/**
 * Responder of unreliable datagrams (IBTA 9.8.3): one packet, one receive. The buffer begins with
 * 40 bytes of global route header: the IPv6 header, or 20 bytes of zeros and the IPv4 header as it
 * came (A17.4.5.1).
 */
final class UdResponder implements Responder {
    private static final int GRH = 40;

    private final RoceQp qp;
    private final Transport transport;
    private final ReceiveSlot receive;
    private final MemorySegment zeros = Arena.ofAuto().allocate(GRH - Ip.V4_SIZE, 8);

    UdResponder(RoceQp qp) {
        this.qp = qp;
        this.transport = qp.transport();
        this.receive = new ReceiveSlot(qp);
    }

    @Override
    public void start(Connection connection) {
        // Datagrams know no connection.
    }

    @Override
    public void request(Packet packet, long now) {
        if (packet.qkey() != qp.qkey()) {
            transport.count(Counter.BAD_QKEY);
        } else if (!receive.take()) {
            transport.count(Counter.UD_NO_RECEIVE);
        } else if (!receive.hasRoom((long) GRH + packet.payloadLength())
                || packet.payloadLength() > qp.connection().mtu()) {
            transport.count(Counter.UD_TOO_LONG); // The receive stays for the next one.
        } else if (storeRouteHeader(packet) && receive.append(packet)) {
            complete(packet);
        } else {
            receive.fail(WcStatus.LOC_PROT_ERR);
            qp.fail();
        }
    }

    private boolean storeRouteHeader(Packet packet) {
        MemorySegment frame = packet.frame().memory();
        SgeList into = receive.request().sges();
        Memory memory = transport.memory();
        boolean stored;
        if (packet.isV6()) {
            stored = into.scatter(memory, qp, 0, frame, packet.ip(), Ip.V6_SIZE);
        } else {
            int pad = GRH - Ip.V4_SIZE;
            stored =
                    into.scatter(memory, qp, 0, zeros, 0, pad)
                            && into.scatter(memory, qp, pad, frame, packet.ip(), Ip.V4_SIZE);
        }
        receive.advance(GRH);
        return stored;
    }

    private void complete(Packet packet) {
        Received received = transport.received();
        received.clear();
        received.opcode = WcOpcode.RECV;
        received.byteLength = receive.filled();
        received.hasGrh = true;
        received.sourceQp = packet.sourceQp();
        received.sourceMac = Ethernet.source(packet.frame().bytes());
        received.solicited = packet.solicited();
        if (packet.opcode().hasImmediate()) {
            received.hasImmediate = true;
            received.immediate = packet.immediate();
        }
        receive.end(WcStatus.SUCCESS, received);
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
