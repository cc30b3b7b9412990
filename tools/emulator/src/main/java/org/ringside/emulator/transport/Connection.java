package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;

/** Which QP is at the other end of a connection, and whether it is one. */
final class Connection {
    private final Engine engine;

    Connection(Engine engine) {
        this.engine = engine;
    }

    /** The function that the QP's address names, or null when nobody has it. */
    @Nullable Engine peer(QpState qp) {
        if (qp.forceLoopback) {
            return engine;
        }
        if (qp.peerGeneration != engine.wire.generation()) {
            qp.peer =
                    qp.remoteLid != 0
                            ? engine.wire.find(engine, qp.remoteLid)
                            : engine.wire.find(engine, qp.remoteGidHigh, qp.remoteGidLow);
            qp.peerGeneration = engine.wire.generation();
        }
        return qp.peer;
    }

    /** The peer's QP when it serves this one, else null. */
    @Nullable QpState remote(QpState qp, Engine peer) {
        QpState remote = peer.qp(qp.remoteQpn);
        return remote != null
                        && remote.state.responds()
                        && remote.service == qp.service
                        && remote.remoteQpn == qp.qpn
                        && Partition.match(remote.pkey, qp.pkey)
                        && peer.connection.peer(remote) == engine
                ? remote
                : null;
    }

    /** Why nobody answers the QP, for people. */
    String silence(QpState qp) {
        Engine peer = peer(qp);
        if (peer == null) {
            return qp.remoteLid != 0
                    ? "no function has LID 0x%x".formatted(qp.remoteLid)
                    : "no function has GID %016x%016x".formatted(qp.remoteGidHigh, qp.remoteGidLow);
        }
        QpState remote = peer.qp(qp.remoteQpn);
        if (remote == null) {
            return "QP 0x%x does not exist".formatted(qp.remoteQpn);
        }
        if (!remote.state.responds()) {
            return "%s is in %s".formatted(remote, remote.state);
        }
        if (remote.service != qp.service) {
            return "%s is of service %s".formatted(remote, remote.service);
        }
        if (!Partition.match(remote.pkey, qp.pkey)) {
            return "P_Key 0x%x, %s has 0x%x".formatted(qp.pkey, remote, remote.pkey);
        }
        if (remote.remoteQpn != qp.qpn || peer.connection.peer(remote) != engine) {
            return "%s is connected to QP 0x%x, not to this one"
                    .formatted(remote, remote.remoteQpn);
        }
        return "PSN 0x%x is sent, %s expects 0x%x"
                .formatted(qp.nextSendPsn, remote, remote.nextReceivePsn);
    }
}
