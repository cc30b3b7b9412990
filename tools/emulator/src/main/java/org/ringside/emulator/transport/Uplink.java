package org.ringside.emulator.transport;

import org.ringside.ethernet.EthernetPort;
import org.ringside.roce.Connection;
import org.ringside.roce.Memory;
import org.ringside.roce.QpOptions;
import org.ringside.roce.RoceQp;
import org.ringside.roce.SendAttributes;
import org.ringside.roce.Transport;
import org.ringside.roce.TransportOptions;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Udp;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.FrameReceiver;
import org.ringside.verbs.Gid;

/**
 * The way out of the process: RoCEv2 frames on an Ethernet port, for connected QPs whose peer is no
 * function of ours. The function's GIDs answer for themselves there (ARP, neighbour discovery).
 */
final class Uplink {
    private final EthernetPort nic;
    private final Transport transport;
    private final PortAddresses addresses;
    private final Port port;
    private final FrameReceiver receiver;
    private int qps;

    Uplink(Engine engine, EthernetPort nic, long now) {
        this.nic = nic;
        this.transport = new Transport(nic, new KeyMemory(engine), TransportOptions.DEFAULT, now);
        this.addresses = new PortAddresses(nic.mac());
        this.port = new Port(addresses, nic, transport);
        this.receiver = port::receive; // Made once: a new one each turn would be garbage.
    }

    /** Frames that came, timers, and what QPs have to send; 0 when there was nothing. */
    int poll(long now) {
        return nic.poll(receiver, now) + port.poll(now);
    }

    /** Whether a QP is connected by it: then frames may come at any time. */
    boolean isBusy() {
        return qps > 0;
    }

    /** A row of the function's GID table. */
    void gid(int index, long high, long low) {
        addresses.set(index, new Gid(high, low));
    }

    /** Takes a QP that goes to RTR. */
    FarQp connect(Engine engine, QpState qp, SendQueue sq) {
        FarQp far = new FarQp(engine, qp, sq);
        RoceQp made =
                transport.create(
                        new QpOptions(
                                qp.qpn,
                                qp.service == Service.UC
                                        ? org.ringside.roce.packet.Service.UC
                                        : org.ringside.roce.packet.Service.RC,
                                qp.pd,
                                FarQp.UNDER_WAY,
                                FarQp.MAX_SGES,
                                FarQp.MAX_INLINE,
                                0),
                        far,
                        far,
                        far);
        far.attach(made);
        qps++;
        made.toInit();
        made.toRtr(
                new Connection(
                        flow(qp),
                        qp.remoteQpn,
                        qp.mtu,
                        qp.nextReceivePsn,
                        qp.maxIncomingReads,
                        qp.minRnrTimer,
                        rights(qp)));
        return far;
    }

    private Flow flow(QpState qp) {
        return new Flow(
                nic.mac(),
                qp.remoteMac,
                Ethernet.NO_VLAN,
                addresses.gid(qp.sourceGidIndex),
                new Gid(qp.remoteGidHigh, qp.remoteGidLow),
                qp.trafficClass,
                qp.hopLimit,
                qp.flowLabel,
                qp.sourcePort != 0
                        ? qp.sourcePort
                        : Udp.sourcePort(qp.flowLabel, qp.qpn, qp.remoteQpn));
    }

    private static int rights(QpState qp) {
        return (qp.remoteRead ? Memory.REMOTE_READ : 0)
                | (qp.remoteWrite ? Memory.REMOTE_WRITE : 0)
                | (qp.remoteAtomic ? Memory.REMOTE_ATOMIC : 0);
    }

    /** RTR to RTS. */
    void start(QpState qp, FarQp far, long now) {
        far.transport()
                .toRts(
                        new SendAttributes(
                                qp.nextSendPsn,
                                qp.ackTimeout,
                                qp.retryCount,
                                qp.rnrRetry,
                                qp.maxOutgoingReads),
                        now);
    }

    /** The QP goes to RESET, or away. */
    void disconnect(FarQp far) {
        transport.destroy(far.transport());
        qps--;
    }
}
