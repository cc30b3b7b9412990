package org.ringside.verbs.cm.ib;

import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.CmConnection;
import org.ringside.verbs.cm.CmOptions;

/** Somebody wants a connection. */
final class IbConnectRequest extends IbRequest {
    private final IbConnectionManager manager;
    private final IbConnection connection;
    private final Req req;
    private final long transaction;

    IbConnectRequest(
            IbConnectionManager manager, IbConnection connection, Mad request, CmAddress peer) {
        super(
                peer,
                Req.read(request).transport() == Req.UC ? QpType.UC : QpType.RC,
                request.data(
                        Req.PRIVATE_DATA + IpHeader.SIZE, Req.PRIVATE_DATA_SIZE - IpHeader.SIZE));
        this.manager = manager;
        this.connection = connection;
        this.req = Req.read(request);
        this.transaction = request.transaction();
    }

    @Override
    public CmConnection accept(QueuePair qp, CmOptions options)
            throws VerbsException, InterruptedException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        byte[] data = IbConnectionManager.privateData(options.privateData(), Rep.PRIVATE_DATA_SIZE);
        manager.requireMine(qp);
        if (qp.type() != type()) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s is of type %s; the request is for %s".formatted(qp, qp.type(), type()));
        }
        manager.guardedVerb(this::decide);
        boolean wasReset = qp.state() == QpState.RESET;
        try {
            Rep rep = connect(qp, options);
            manager.guardedVerb(
                    () -> {
                        manager.requireOpen();
                        if (connection.isOffered()) {
                            connection.remoteQp(req.qpNumber());
                            connection.reply(
                                    rep.mad(transaction).data(Rep.PRIVATE_DATA, data),
                                    qp,
                                    privateData(),
                                    System.nanoTime());
                        }
                    });
            Mad answer =
                    manager.await(() -> connection.awaitAnswer("reply to " + peer(), deadline));
            if (answer != null) {
                throw Rej.exception("reply to " + peer(), answer);
            }
            return connection;
        } catch (VerbsException | InterruptedException e) {
            manager.guarded(
                    () -> {
                        if (connection.isOffered()) {
                            connection.reject(Rej.OF_REQ, reason(e), new byte[0]);
                        }
                    });
            IbConnectionManager.undo(qp, wasReset);
            throw e;
        }
    }

    private static int reason(Exception e) {
        return e instanceof VerbsException failed && failed.errno() == VerbsException.EINVAL
                ? Rej.INVALID_PATH_MTU
                : Rej.NO_RESOURCES;
    }

    private Rep connect(QueuePair qp, CmOptions options) throws VerbsException {
        Context context = manager.context();
        DeviceAttributes device = context.attributes();
        int port = manager.portNumber();
        Mtu most = context.port(port).activeMtu();
        if (req.mtu() > most.code() || req.mtu() < Mtu.MTU_256.code()) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s asks for a path MTU of code %d; this port has at most %d bytes (code %d)"
                            .formatted(peer(), req.mtu(), most.bytes(), most.code()));
        }
        int gidIndex = connection.route().gidIndex();
        int asResponder = bound(req.initiatorDepth(), options.rdAtomic(), device.maxDestRdAtomic());
        int asInitiator = bound(req.responderResources(), options.rdAtomic(), device.maxRdAtomic());
        Endpoint own = qp.endpoint(port, gidIndex);
        if (qp.state() == QpState.RESET) {
            qp.toInit(new QpTransitions.ToInit(port, 0, options.access()));
        }
        qp.toRtr(
                new QpTransitions.ToRtr(
                        new AddressVector(
                                0,
                                req.from(),
                                gidIndex,
                                null,
                                0,
                                req.trafficClass(),
                                req.flowLabel(),
                                req.hopLimit()),
                        Mtu.ofCode(req.mtu()),
                        req.qpNumber(),
                        own.psn(),
                        asResponder,
                        options.minRnrTimer()));
        qp.toRts(
                new QpTransitions.ToRts(
                        req.psn(),
                        req.ackTimeout(),
                        req.retryCount(),
                        req.rnrRetry(),
                        asInitiator));
        return new Rep(
                connection.id(),
                connection.remoteId(),
                qp.number(),
                own.psn(),
                asResponder,
                asInitiator,
                options.rnrRetry(),
                device.nodeGuid());
    }

    static int bound(int wanted, int ours, int device) {
        return Math.min(wanted, Math.min(ours, device));
    }

    @Override
    public void reject(byte[] privateData) throws VerbsException {
        byte[] data = IbConnectionManager.privateData(privateData, Rej.PRIVATE_DATA_SIZE);
        manager.guardedVerb(
                () -> {
                    decide();
                    refuse(data);
                });
    }

    @Override
    void refuse() {
        refuse(new byte[0]);
    }

    private void refuse(byte[] data) {
        if (connection.isOffered()) {
            connection.reject(Rej.OF_REQ, Rej.CONSUMER, data);
        }
    }
}
