package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.mlx5.layout.CqeSyndrome;
import org.ringside.mlx5.layout.EventType;

/**
 * Unreliable datagrams (IBTA 9.8.3), those of the management QPs 0 and 1 too. A datagram that
 * nobody takes is lost, and its sender never hears of it.
 *
 * <p>The receiver finds 40 bytes before the data: the GRH, or nothing of use when there was none.
 */
final class Datagrams {
    private static final int MULTICAST_QPN = 0xff_ffff;

    /** QPNs of the management QPs on the wire, whatever number the device gave them. */
    private static final int SMI_QPN = 0;

    private static final int GSI_QPN = 1;

    private final Engine engine;
    private final Mover mover = new Mover();
    private @Nullable String problem;

    /** Datagrams that came with the wrong Q_Key. */
    int badQkeys;

    /** Datagrams that found no QP, no receive, or the wrong partition. */
    int dropped;

    Datagrams(Engine engine) {
        this.engine = engine;
    }

    /** What was wrong when {@link #send} returned a syndrome. */
    String problem() {
        return String.valueOf(problem);
    }

    /**
     * Sends the datagram of a WQE.
     *
     * @return {@link Syndrome#NONE}, or why it could not be sent
     */
    int send(QpState qp, SendWqe wqe) {
        AddressVector to = wqe.address;
        if (to.global) {
            wqe.writeGrh(
                    engine.wire.gid(engine, to.sourceGidIndex, true),
                    engine.wire.gid(engine, to.sourceGidIndex, false));
        }
        if (to.isMulticast() && to.qpn == MULTICAST_QPN) {
            return multicast(qp, wqe);
        }
        Engine port = find(to);
        long octets = octets(wqe);
        if (port == null) {
            engine.unicast.sent(1, octets);
            return Syndrome.NONE;
        }
        engine.unicast.send(port.unicast, 1, octets);
        QpState target = port.datagrams.named(to.qpn);
        if (target == null) {
            port.datagrams.dropped++;
            return Syndrome.NONE;
        }
        port.now = engine.now;
        return port.datagrams.accept(target, qp, wqe, engine.wire.lid(engine));
    }

    private static long octets(SendWqe wqe) {
        return PortTraffic.PACKET
                + PortTraffic.DETH
                + (wqe.address.global ? PortTraffic.GRH : 0)
                + wqe.pieces.length();
    }

    private @Nullable Engine find(AddressVector to) {
        if (to.forceLoopback) {
            return engine;
        }
        return engine.wire.lid(engine) != 0
                ? engine.wire.find(engine, to.lid)
                : engine.wire.find(engine, to.gidHigh, to.gidLow);
    }

    private @Nullable QpState named(int qpn) {
        return switch (qpn) {
            case SMI_QPN -> engine.special(Service.SMI);
            case GSI_QPN -> engine.special(Service.GSI);
            default -> engine.qp(qpn);
        };
    }

    private int multicast(QpState qp, SendWqe wqe) {
        int lid = engine.wire.lid(engine);
        engine.multicast.sent(1, octets(wqe));
        for (int i = 0; i < engine.wire.ports(); i++) {
            Engine port = engine.wire.port(i);
            port.now = engine.now;
            port.multicast.received(1, octets(wqe));
            MulticastGroups groups = port.groups;
            for (int m = 0; m < groups.size(); m++) {
                QpState member = groups.member(m);
                if (member != qp && groups.has(m, wqe.address.gidHigh, wqe.address.gidLow)) {
                    int outcome = port.datagrams.accept(member, qp, wqe, lid);
                    if (outcome != Syndrome.NONE) {
                        return outcome;
                    }
                }
            }
        }
        return Syndrome.NONE;
    }

    /** A datagram has come; returns what its sender completes with. */
    private int accept(QpState target, QpState sender, SendWqe wqe, int lid) {
        if (!target.service.isDatagram()
                || !target.state.responds()
                || !Partition.match(target.pkey, sender.pkey)) {
            dropped++;
            return Syndrome.NONE;
        }
        // A privileged key in the WQE stands for that of the sender's QP (IBTA 10.2.5).
        int qkey = wqe.address.qkey < 0 ? sender.qkey : wqe.address.qkey;
        if (target.service != Service.SMI && target.qkey != qkey) {
            badQkeys++;
            return Syndrome.NONE;
        }
        try {
            return deliver(target, sender, wqe, lid);
        } catch (DmaFault e) {
            engine.findings.report("%s: %s; the QP fails".formatted(target, e.getMessage()));
            engine.fail(target, EventType.WQ_CATAS_ERROR);
            return Syndrome.NONE;
        }
    }

    private int deliver(QpState target, QpState sender, SendWqe wqe, int lid) {
        Receives receives = engine.receives;
        if (!receives.isPosted(target, target.srq)) {
            dropped++;
            return Syndrome.NONE;
        }
        long length = wqe.pieces.length();
        SgList into = receives.target(target, target.srq, length);
        if (into == null) {
            return Syndrome.NONE;
        }
        int moved = mover.copy(wqe.pieces, into, 0, length);
        if (moved == Mover.SOURCE_FAULT) {
            problem = mover.why();
            return CqeSyndrome.LOCAL_PROT_ERR;
        }
        if (moved == Mover.TARGET_FAULT) {
            receives.fail(target, target.srq, CqeSyndrome.LOCAL_PROT_ERR, mover.why());
            return Syndrome.NONE;
        }
        receives.completeDatagram(target, wqe, lid, sender);
        return Syndrome.NONE;
    }
}
