package org.ringside.verbs.cm.ib;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.CmConnection;
import org.ringside.verbs.cm.CmDatagramPeer;
import org.ringside.verbs.cm.CmListener;
import org.ringside.verbs.cm.CmOptions;
import org.ringside.verbs.cm.CmRejectedException;
import org.ringside.verbs.cm.ConnectionManager;
import org.ringside.verbs.cm.PortSpace;

/** The connection manager of a port, on its QP 1. */
public final class IbConnectionManager extends ConnectionManager {
    /** How long its thread waits at most; shorter than anything is resent. */
    private static final long LONGEST_WAIT_NANOS = 200_000_000;

    private static final int FIRST_EPHEMERAL_PORT = 49152;
    private static final int EPHEMERAL_PORTS = 65536 - FIRST_EPHEMERAL_PORT;
    private static final int HOP_LIMIT = 64;
    private static final int FLOW_LABEL = 0xf_ffff;

    /** rdma_cm spreads connections over flow labels so (rdma_calc_flow_label in ib_verbs.h). */
    private static final int FLOW_LABEL_FACTOR = 31;

    private record Outgoing(Mad mad, Route route) {}

    private final Object monitor = new Object();
    private final int number;
    private final GsiPort port;
    private final Thread thread;

    // Under the monitor
    private final Map<Integer, Conversation> byId = new HashMap<>();
    private final Map<Asker, Conversation> byAsker = new HashMap<>();
    private final Map<Long, IbListener> listeners = new HashMap<>();
    private final ArrayDeque<Outgoing> outbox = new ArrayDeque<>();
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private int lastId = ThreadLocalRandom.current().nextInt();
    private long lastTransaction = ThreadLocalRandom.current().nextLong();
    private boolean closed;

    private IbConnectionManager(Context context, int number) throws VerbsException {
        super(context, number);
        this.number = number;
        try {
            port = new GsiPort(context, number);
        } catch (VerbsException e) {
            throw new VerbsException(
                    e.errno(),
                    "%s has no connection manager: %s".formatted(context, e.getMessage()),
                    e);
        }
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("connection manager " + context.deviceName())
                        .unstarted(this::work);
    }

    /** As {@link ConnectionManager#open(Context, int)}, of a device whose QP 1 is ours. */
    public static ConnectionManager open(Context context, int port) throws VerbsException {
        IbConnectionManager manager = new IbConnectionManager(context, port);
        try {
            manager.started();
        } catch (VerbsException e) {
            manager.port.close();
            throw e;
        }
        manager.thread.start();
        return manager;
    }

    int portNumber() {
        return number;
    }

    // ---- the monitor

    /** An action that may fail. */
    interface VerbAction {
        void run() throws VerbsException;
    }

    /** A wait for an answer. */
    interface Wait {
        @Nullable Mad get() throws VerbsException, InterruptedException;
    }

    /** Guards all conversations. */
    Object monitor() {
        return monitor;
    }

    /** Runs under the monitor; what was to be sent goes out after it. */
    void guarded(Runnable action) {
        synchronized (monitor) {
            action.run();
        }
        flush();
    }

    /** As {@link #guarded(Runnable)}, with a result. */
    boolean guarded(BooleanSupplier action) {
        boolean result;
        synchronized (monitor) {
            result = action.getAsBoolean();
        }
        flush();
        return result;
    }

    /** As {@link #guarded(Runnable)}, of what may fail. */
    void guardedVerb(VerbAction action) throws VerbsException {
        synchronized (monitor) {
            action.run();
        }
        flush();
    }

    /** Waits under the monitor, which the wait gives up meanwhile. */
    @Nullable Mad await(Wait wait) throws VerbsException, InterruptedException {
        try {
            synchronized (monitor) {
                return wait.get();
            }
        } finally {
            flush();
        }
    }

    /** Under the monitor. */
    void requireOpen() throws VerbsException {
        if (closed) {
            throw new VerbsException(VerbsException.EINVAL, this + " is closed; open a new one");
        }
    }

    void requireMine(QueuePair qp) throws VerbsException {
        if (!qp.pd().context().equals(context())) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s is not of %s; make it from the same context".formatted(qp, context()));
        }
    }

    /** Checks the length of private data. */
    static byte[] privateData(byte[] data, int most) throws VerbsException {
        if (data.length > most) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%d bytes of private data, at most %d fit".formatted(data.length, most));
        }
        return data;
    }

    /** Puts a message into the outbox. Under the monitor. */
    void send(Mad mad, Route route) {
        outbox.add(new Outgoing(mad, route));
    }

    /** Has the manager's thread do something without the monitor. Under the monitor. */
    void later(Runnable task) {
        later.add(task);
    }

    /** Sends what is in the outbox. Without the monitor. */
    void flush() {
        while (true) {
            Outgoing next;
            synchronized (monitor) {
                next = outbox.poll();
            }
            if (next == null) {
                return;
            }
            try {
                port.send(next.mad, next.route);
            } catch (VerbsException e) {
                // No way to the peer now: lost like any datagram; what matters is sent again.
            }
        }
    }

    // ---- its thread

    private void work() {
        try {
            while (true) {
                long now = System.nanoTime();
                long wait;
                synchronized (monitor) {
                    if (closed) {
                        return;
                    }
                    wait = timers(now);
                }
                flush();
                runLater();
                port.await(Duration.ofNanos(wait));
                for (GsiPort.Received got = port.receive(); got != null; got = port.receive()) {
                    take(got);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Nobody does that but to end it.
        }
    }

    /** Serves timers that are due; tells how long until the next. */
    private long timers(long now) {
        long next = now + LONGEST_WAIT_NANOS;
        List<Conversation> all = new ArrayList<>(byId.values());
        all.addAll(byAsker.values());
        for (Conversation each : all) {
            if (each.due() != Resend.NEVER && each.due() - now <= 0) {
                each.timer(now);
            }
            if (each.due() != Resend.NEVER) {
                next = Math.min(next, each.due());
            }
        }
        return Math.max(0, next - now);
    }

    private void runLater() {
        while (true) {
            Runnable task;
            synchronized (monitor) {
                task = later.poll();
            }
            if (task == null) {
                return;
            }
            task.run();
        }
    }

    private void take(GsiPort.Received got) {
        if (!got.mad().isOfConnectionManager()) {
            return;
        }
        int index;
        try {
            index = indexOf(got.to());
        } catch (VerbsException e) {
            return; // The device goes.
        }
        if (index >= 0) {
            Route route = new Route(index, got.from());
            guarded(() -> dispatch(got.mad(), route));
            runLater();
        }
    }

    private int indexOf(Gid own) throws VerbsException {
        int length = context().port(number).gidTableLength();
        for (int i = 0; i < length; i++) {
            if (context().gid(number, i).equals(own)) {
                return i;
            }
        }
        return -1;
    }

    private void dispatch(Mad mad, Route route) {
        if (closed) {
            return;
        }
        long now = System.nanoTime();
        switch (mad.attribute()) {
            case Mad.REQ -> connectionAsked(mad, route, now);
            case Mad.SIDR_REQ -> datagramsAsked(mad, route, now);
            case Mad.SIDR_REP -> answered(byId.get(Sidr.requestId(mad)), mad, route, now);
            case Mad.REP, Mad.RTU, Mad.REJ, Mad.MRA, Mad.DREP ->
                    answered(byId.get(mad.remoteId()), mad, route, now);
            case Mad.DREQ -> {
                if (!answered(byId.get(mad.remoteId()), mad, route, now)) {
                    // Forgotten here; without an answer it would be asked again and again.
                    int ours = mad.remoteId();
                    int theirs = mad.localId();
                    send(Mad.ids(Mad.DREP, mad.transaction(), ours, theirs), route);
                }
            }
            default -> {}
        }
    }

    private static boolean answered(@Nullable Conversation of, Mad mad, Route route, long now) {
        boolean right = of != null && of.peerGid().equals(route.peer()) && of.expects(mad);
        if (right && of != null) {
            of.received(mad, now);
        }
        return right;
    }

    private void connectionAsked(Mad mad, Route route, long now) {
        Asker asker = new Asker(route.peer(), mad.localId(), false);
        Conversation known = byAsker.get(asker);
        if (known != null) {
            known.received(mad, now);
            return;
        }
        Req req = Req.read(mad);
        IbListener listener = listeners.get(req.serviceId());
        if (listener == null) {
            reject(mad, route, Rej.INVALID_SERVICE_ID);
        } else if (!IpHeader.isKnown(mad, Req.PRIVATE_DATA)
                || req.transport() != Req.RC && req.transport() != Req.UC) {
            reject(mad, route, Rej.UNSUPPORTED);
        } else {
            CmAddress peer = IpHeader.read(mad, Req.PRIVATE_DATA).peer();
            IbConnection made = IbConnection.passive(this, nextId(), mad, route, peer);
            if (listener.offer(new IbConnectRequest(this, made, mad, peer))) {
                byId.put(made.id(), made);
                byAsker.put(asker, made);
            } else {
                reject(mad, route, Rej.NO_RESOURCES);
            }
        }
    }

    private void reject(Mad req, Route route, int reason) {
        send(new Rej(0, req.localId(), Rej.OF_REQ, reason).mad(req.transaction()), route);
    }

    private void datagramsAsked(Mad mad, Route route, long now) {
        Asker asker = new Asker(route.peer(), Sidr.requestId(mad), true);
        Conversation known = byAsker.get(asker);
        if (known != null) {
            known.received(mad, now);
            return;
        }
        IbListener listener = listeners.get(Sidr.serviceId(mad));
        if (listener == null || !IpHeader.isKnown(mad, Sidr.REQ_PRIVATE_DATA)) {
            send(Sidr.reply(mad, Sidr.NOT_SUPPORTED, 0, 0), route);
            return;
        }
        CmAddress peer = IpHeader.read(mad, Sidr.REQ_PRIVATE_DATA).peer();
        IbDatagramRequest made = new IbDatagramRequest(this, peer, mad, route, asker);
        if (listener.offer(made)) {
            byAsker.put(asker, made);
        }
    }

    private int nextId() {
        do {
            lastId++;
        } while (lastId == 0 || byId.containsKey(lastId));
        return lastId;
    }

    void forget(IbConnection over) {
        byId.remove(over.id());
        byAsker.remove(new Asker(over.peerGid(), over.remoteId(), false));
    }

    void forget(Asker asker) {
        byAsker.remove(asker);
    }

    void forget(IbListener listener) {
        listeners.remove(listener.serviceId());
    }

    // ---- for the application

    @Override
    public CmListener listen(PortSpace space, int servicePort) throws VerbsException {
        CmAddress.requirePort(servicePort);
        IbListener made = new IbListener(this, space.serviceId(servicePort), servicePort);
        guardedVerb(
                () -> {
                    requireOpen();
                    if (listeners.putIfAbsent(made.serviceId(), made) != null) {
                        throw new VerbsException(
                                VerbsException.EBUSY,
                                "%s: somebody listens at %s port %d already"
                                        .formatted(this, space, servicePort));
                    }
                });
        return made;
    }

    @Override
    public CmConnection connect(QueuePair qp, CmAddress to, CmOptions options)
            throws VerbsException, InterruptedException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        byte[] data = privateData(options.privateData(), Req.PRIVATE_DATA_SIZE - IpHeader.SIZE);
        requireMine(qp);
        if (qp.type().isDatagram()) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    qp + " is for datagrams; ask with resolve where they go");
        }
        Route route = route(to);
        port.prepare(route);
        boolean wasReset = qp.state() == QpState.RESET;
        try {
            return connect(qp, to, options, data, route, deadline);
        } catch (VerbsException | InterruptedException e) {
            undo(qp, wasReset);
            throw e;
        }
    }

    private CmConnection connect(
            QueuePair qp, CmAddress to, CmOptions options, byte[] data, Route route, long deadline)
            throws VerbsException, InterruptedException {
        DeviceAttributes device = context().attributes();
        Mtu mtu =
                Mtu.ofCode(
                        Math.min(options.mtu().code(), context().port(number).activeMtu().code()));
        int sourcePort =
                FIRST_EPHEMERAL_PORT + ThreadLocalRandom.current().nextInt(EPHEMERAL_PORTS);
        int flowLabel = sourcePort * FLOW_LABEL_FACTOR + to.port() & FLOW_LABEL;
        Endpoint own = qp.endpoint(number, route.gidIndex());
        if (qp.state() == QpState.RESET) {
            qp.toInit(new QpTransitions.ToInit(number, 0, options.access()));
        }
        IbConnection connection;
        synchronized (monitor) {
            requireOpen();
            connection = IbConnection.active(this, nextId(), ++lastTransaction, route, to);
            Req req =
                    new Req(
                            connection.id(),
                            PortSpace.TCP.serviceId(to.port()),
                            device.nodeGuid(),
                            qp.number(),
                            Math.min(options.rdAtomic(), device.maxDestRdAtomic()),
                            Math.min(options.rdAtomic(), device.maxRdAtomic()),
                            qp.type() == QpType.UC ? Req.UC : Req.RC,
                            own.psn(),
                            options.retryCount(),
                            mtu.code(),
                            options.rnrRetry(),
                            own.gid(),
                            to.gid(),
                            flowLabel,
                            0,
                            HOP_LIMIT,
                            options.ackTimeout());
            Mad mad = req.mad(lastTransaction);
            new IpHeader(own.gid(), sourcePort, to.gid()).write(mad, Req.PRIVATE_DATA);
            byId.put(connection.id(), connection);
            connection.ask(mad.data(Req.PRIVATE_DATA + IpHeader.SIZE, data), System.nanoTime());
        }
        flush();
        try {
            Mad answer = await(() -> connection.awaitAnswer("connection to " + to, deadline));
            if (answer == null || answer.attribute() == Mad.REJ) {
                throw answer == null
                        ? new VerbsException(VerbsException.EIO, "connection to " + to + " ended")
                        : Rej.exception("connection to " + to, answer);
            }
            Rep rep = Rep.read(answer);
            start(qp, options, route, flowLabel, mtu, own.psn(), rep);
            guarded(
                    () -> {
                        connection.remoteQp(rep.qpNumber());
                        connection.confirm(
                                qp, answer.data(Rep.PRIVATE_DATA, Rep.PRIVATE_DATA_SIZE));
                    });
            return connection;
        } catch (VerbsException | InterruptedException e) {
            guarded(() -> connection.giveUp());
            throw e;
        }
    }

    private void start(
            QueuePair qp, CmOptions options, Route route, int flowLabel, Mtu mtu, int psn, Rep rep)
            throws VerbsException {
        DeviceAttributes device = context().attributes();
        qp.toRtr(
                new QpTransitions.ToRtr(
                        new AddressVector(
                                0,
                                route.peer(),
                                route.gidIndex(),
                                null,
                                0,
                                0,
                                flowLabel,
                                HOP_LIMIT),
                        mtu,
                        rep.qpNumber(),
                        psn,
                        IbConnectRequest.bound(
                                rep.initiatorDepth(), options.rdAtomic(), device.maxDestRdAtomic()),
                        options.minRnrTimer()));
        qp.toRts(
                new QpTransitions.ToRts(
                        rep.psn(),
                        options.ackTimeout(),
                        options.retryCount(),
                        rep.rnrRetry(),
                        IbConnectRequest.bound(
                                rep.responderResources(),
                                options.rdAtomic(),
                                device.maxRdAtomic())));
    }

    /** A QP that was not connected goes back where it was; with receives posted, to ERR. */
    static void undo(QueuePair qp, boolean wasReset) {
        try {
            if (wasReset) {
                qp.toReset();
            } else if (qp.state() != QpState.INIT) {
                qp.toErr();
            }
        } catch (VerbsException e) {
            // Closed, or its device is lost: what went wrong first is told.
        }
    }

    @Override
    public CmDatagramPeer resolve(ProtectionDomain pd, CmAddress to, CmOptions options)
            throws VerbsException, InterruptedException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        byte[] data =
                privateData(options.privateData(), Sidr.REQ_PRIVATE_DATA_SIZE - IpHeader.SIZE);
        Route route = route(to);
        AddressHandle handle =
                pd.createAh(
                        number,
                        new AddressVector(0, to.gid(), route.gidIndex(), null, 0, 0, 0, HOP_LIMIT));
        try {
            Mad answer = ask(to, route, data, deadline);
            if (Sidr.status(answer) != Sidr.VALID) {
                throw new CmRejectedException(
                        "question to %s: %s".formatted(to, Sidr.text(Sidr.status(answer))),
                        Sidr.status(answer),
                        answer.data(Sidr.REP_PRIVATE_DATA, Sidr.REP_PRIVATE_DATA_SIZE));
            }
            return new CmDatagramPeer(
                    handle,
                    Sidr.qpNumber(answer),
                    Sidr.qkey(answer),
                    answer.data(Sidr.REP_PRIVATE_DATA, Sidr.REP_PRIVATE_DATA_SIZE));
        } catch (VerbsException | InterruptedException e) {
            handle.close();
            throw e;
        }
    }

    private Mad ask(CmAddress to, Route route, byte[] data, long deadline)
            throws VerbsException, InterruptedException {
        Gid own = context().gid(number, route.gidIndex());
        int sourcePort =
                FIRST_EPHEMERAL_PORT + ThreadLocalRandom.current().nextInt(EPHEMERAL_PORTS);
        SidrQuery query = new SidrQuery(this, route);
        int id;
        synchronized (monitor) {
            requireOpen();
            id = nextId();
            Mad mad = Sidr.request(++lastTransaction, id, PortSpace.UDP.serviceId(to.port()));
            new IpHeader(own, sourcePort, to.gid()).write(mad, Sidr.REQ_PRIVATE_DATA);
            byId.put(id, query);
            query.ask(mad.data(Sidr.REQ_PRIVATE_DATA + IpHeader.SIZE, data), System.nanoTime());
        }
        flush();
        try {
            Mad answer = await(() -> query.await(deadline));
            if (answer == null) {
                throw new VerbsException(
                        VerbsException.ETIMEDOUT,
                        "question to %s: no answer; is the host up, does it manage connections?"
                                .formatted(to));
            }
            return answer;
        } finally {
            guarded(() -> byId.remove(id));
        }
    }

    /** The way to a peer: from our address that has most of the beginning in common with it. */
    private Route route(CmAddress to) throws VerbsException {
        Gid peer = to.gid();
        int length = context().port(number).gidTableLength();
        int best = -1;
        int bestBits = -1;
        for (int i = 0; i < length; i++) {
            Gid own = context().gid(number, i);
            if (own.equals(Gid.NONE) || own.isIpv4Mapped() != peer.isIpv4Mapped()) {
                continue;
            }
            int bits = commonBits(own, peer);
            if (bits > bestBits) {
                best = i;
                bestBits = bits;
            }
        }
        if (best < 0) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s has no %s address to ask %s from; give it one (setGid)"
                            .formatted(context(), peer.isIpv4Mapped() ? "IPv4" : "IPv6", to));
        }
        return new Route(best, peer);
    }

    private static int commonBits(Gid a, Gid b) {
        int high = Long.numberOfLeadingZeros(a.high() ^ b.high());
        return high < Long.SIZE ? high : high + Long.numberOfLeadingZeros(a.low() ^ b.low());
    }

    @Override
    protected void doClose() throws VerbsException {
        synchronized (monitor) {
            closed = true;
            new ArrayList<>(byId.values()).forEach(Conversation::end);
            new ArrayList<>(byAsker.values()).forEach(Conversation::end);
            listeners.values().forEach(IbListener::end);
            monitor.notifyAll();
        }
        flush();
        runLater();
        port.close();
    }
}
