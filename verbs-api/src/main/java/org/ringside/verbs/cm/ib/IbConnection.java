package org.ringside.verbs.cm.ib;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.cm.CmAddress;
import org.ringside.verbs.cm.CmConnection;

/**
 * One side of a connection, from the first message to the last (IBTA 12.9.5 to 12.9.7).
 *
 * <pre>
 *   active    ASKED --REP--> ANSWERED --(RTU goes out)--> ESTABLISHED
 *   passive   OFFERED --(REP goes out)--> REPLIED --RTU--> ESTABLISHED
 *   both      ESTABLISHED --(DREQ goes out)--> ENDING --DREP--> ENDED
 *             ESTABLISHED --DREQ--> ENDED
 * </pre>
 *
 * <p>What has ended is kept for a while: the other side may have missed the last message.
 */
final class IbConnection extends CmConnection implements Conversation {
    private enum State {
        ASKED,
        OFFERED,
        ANSWERED,
        REPLIED,
        ESTABLISHED,
        ENDING,
        ENDED
    }

    /** How long the end of a connection is remembered. */
    private static final long KEPT_NANOS = 10_000_000_000L;

    private final IbConnectionManager manager;
    private final int id;
    private final long transaction;
    private final Route route;
    private final CmAddress peer;
    private final Resend resend = new Resend();
    private State state;
    private int remoteId;
    private @Nullable QueuePair qp;
    private byte[] privateData = {};
    private long forgetAt = Resend.NEVER;

    /** REP or REJ that came for who waits. */
    private @Nullable Mad answer;

    /** What the other side gets when it asks again what was answered. */
    private @Nullable Mad last;

    /** A message went out often enough, and was not answered. */
    private boolean unanswered;

    private IbConnection(
            IbConnectionManager manager,
            int id,
            long transaction,
            Route route,
            CmAddress peer,
            State state) {
        this.manager = manager;
        this.id = id;
        this.transaction = transaction;
        this.route = route;
        this.peer = peer;
        this.state = state;
    }

    static IbConnection active(
            IbConnectionManager manager, int id, long transaction, Route route, CmAddress peer) {
        return new IbConnection(manager, id, transaction, route, peer, State.ASKED);
    }

    static IbConnection passive(
            IbConnectionManager manager, int id, Mad request, Route route, CmAddress peer) {
        IbConnection made =
                new IbConnection(manager, id, request.transaction(), route, peer, State.OFFERED);
        made.remoteId = request.localId();
        return made;
    }

    int id() {
        return id;
    }

    int remoteId() {
        return remoteId;
    }

    Route route() {
        return route;
    }

    // ---- making it; under the monitor

    /** Active: the request goes out. */
    void ask(Mad request, long now) {
        sendUntilAnswered(request, now);
    }

    /** Passive: the reply goes out. */
    void reply(Mad reply, QueuePair connected, byte[] requestData, long now) {
        qp = connected;
        privateData = requestData;
        state = State.REPLIED;
        sendUntilAnswered(reply, now);
    }

    /** Active: all is ready here, and the other side may know it. */
    void confirm(QueuePair connected, byte[] replyData) {
        if (state != State.ANSWERED) {
            return; // The other side has ended it meanwhile, or the manager has.
        }
        qp = connected;
        privateData = replyData;
        state = State.ESTABLISHED;
        sayLast(Mad.ids(Mad.RTU, transaction, id, remoteId));
    }

    /** It will not be: the other side is told why, and told again when it asks. */
    void reject(int message, int reason, byte[] data) {
        Mad rej =
                new Rej(id, remoteId, message, reason)
                        .mad(transaction)
                        .data(Rej.PRIVATE_DATA, data);
        over();
        sayLast(rej);
    }

    /** Active: whatever became of it, nobody here wants it any more. */
    void giveUp() {
        if (state == State.ASKED) {
            reject(Rej.OF_REQ, Rej.TIMEOUT, new byte[0]);
        } else if (state == State.ANSWERED) {
            reject(Rej.OF_REP, Rej.CONSUMER, new byte[0]);
        }
    }

    /** Whether it is still open what becomes of a request. */
    boolean isOffered() {
        return state == State.OFFERED;
    }

    /**
     * Waits for the answer: REP or REJ to an active side, RTU to a passive one. Gives up the
     * monitor meanwhile.
     *
     * @return REP or REJ; null for RTU
     * @throws VerbsException ETIMEDOUT
     */
    @Nullable Mad awaitAnswer(String what, long deadline)
            throws VerbsException, InterruptedException {
        while (answer == null && (state == State.ASKED || state == State.REPLIED)) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                unanswered = true;
                break;
            }
            TimeUnit.NANOSECONDS.timedWait(manager.monitor(), left);
        }
        if (unanswered) {
            int message = state == State.ASKED ? Rej.OF_REQ : Rej.OF_REP;
            if (state != State.ENDED) {
                reject(message, Rej.TIMEOUT, new byte[0]);
            }
            throw new VerbsException(
                    VerbsException.ETIMEDOUT,
                    what
                            + ": no answer; is the host up, does it manage connections, does a"
                            + " firewall drop UDP port 4791?");
        }
        manager.requireOpen();
        return answer;
    }

    private void sendUntilAnswered(Mad mad, long now) {
        resend.start(mad, now);
        manager.send(mad, route);
    }

    private void sayLast(Mad mad) {
        last = mad;
        manager.send(mad, route);
    }

    // ---- messages

    @Override
    public Gid peerGid() {
        return route.peer();
    }

    @Override
    public boolean expects(Mad mad) {
        return mad.attribute() != Mad.SIDR_REP;
    }

    @Override
    public void received(Mad mad, long now) {
        switch (mad.attribute()) {
            case Mad.REQ -> askedAgain();
            case Mad.MRA -> resend.delay(mad.u8(MRA_TIMEOUT) >>> 3, now);
            case Mad.REP -> replied(mad);
            case Mad.RTU -> {
                if (state == State.REPLIED) {
                    state = State.ESTABLISHED;
                    resend.stop();
                    manager.monitor().notifyAll();
                }
            }
            case Mad.REJ -> rejected(mad);
            case Mad.DREQ -> {
                remoteId = mad.localId();
                over();
                sayLast(Mad.ids(Mad.DREP, mad.transaction(), id, remoteId));
            }
            case Mad.DREP -> {
                if (state == State.ENDING) {
                    over();
                }
            }
            default -> {}
        }
    }

    /** MRA: the time that the other side asks for, coded in the high five bits. */
    private static final int MRA_TIMEOUT = 9;

    /** MRA: what it is about, in the high two bits; 0 is REQ. */
    private static final int MRA_MESSAGE = 8;

    /** Time that an application takes at most to decide: 4.096 us times 2 to this, 68 s. */
    private static final int DECISION_CODE = 24;

    private void askedAgain() {
        Mad said = state == State.REPLIED ? resend.message() : last;
        if (state == State.OFFERED) {
            said =
                    Mad.ids(Mad.MRA, transaction, id, remoteId)
                            .u8(MRA_MESSAGE, 0)
                            .u8(MRA_TIMEOUT, DECISION_CODE << 3);
        }
        if (said != null && state != State.ESTABLISHED) {
            manager.send(said, route);
        }
    }

    private void replied(Mad mad) {
        if (state == State.ASKED) {
            remoteId = mad.localId();
            answer = mad;
            state = State.ANSWERED;
            resend.stop();
            manager.monitor().notifyAll();
        } else if (last != null && state != State.ANSWERED) {
            manager.send(last, route); // It missed RTU, or that all is over.
        }
    }

    private void rejected(Mad mad) {
        if (state == State.ASKED || state == State.OFFERED || state == State.REPLIED) {
            answer = mad;
        }
        if (state != State.ENDED) {
            over();
        }
    }

    // ---- timers

    @Override
    public long due() {
        return Math.min(resend.due(), forgetAt);
    }

    @Override
    public void timer(long now) {
        if (now >= forgetAt) {
            manager.forget(this);
            return;
        }
        Mad again = resend.next(now);
        if (again != null) {
            manager.send(again, route);
            return;
        }
        unanswered = true;
        if (state == State.ENDING) {
            over();
        }
        manager.monitor().notifyAll();
    }

    // ---- the end

    /** It is over on this side. */
    private void over() {
        boolean was = state == State.ESTABLISHED || state == State.REPLIED;
        state = State.ENDED;
        resend.stop();
        forgetAt = System.nanoTime() + KEPT_NANOS;
        QueuePair connected = qp;
        if (was && connected != null) {
            manager.later(() -> fail(connected));
        }
        manager.monitor().notifyAll();
    }

    private static void fail(QueuePair connected) {
        try {
            if (!connected.isClosed() && connected.state() != QpState.RESET) {
                connected.toErr();
            }
        } catch (VerbsException e) {
            // Closed meanwhile, or its device was lost: it is in no connection any more.
        }
    }

    @Override
    public void end() {
        if (state == State.ESTABLISHED) {
            manager.send(disconnection(), route);
        }
        state = State.ENDED;
        resend.stop();
        manager.monitor().notifyAll();
    }

    private Mad disconnection() {
        QueuePair connected = qp;
        Mad mad = Mad.ids(Mad.DREQ, transaction, id, remoteId);
        return connected == null ? mad : mad.u24(DREQ_QPN, remoteQp);
    }

    /** DREQ: number of the QP at the receiver of the message. */
    private static final int DREQ_QPN = 8;

    private int remoteQp;

    /** The number of the QP at the other side. */
    void remoteQp(int number) {
        remoteQp = number;
    }

    /**
     * Begins to end it.
     *
     * @return whether that was to be done
     */
    private boolean beginEnd() {
        if (state != State.ESTABLISHED) {
            return false;
        }
        state = State.ENDING;
        unanswered = false;
        sendUntilAnswered(disconnection(), System.nanoTime());
        return true;
    }

    // ---- for the application

    @Override
    public QueuePair qp() {
        return Objects.requireNonNull(qp, "handed out before it was connected");
    }

    @Override
    public CmAddress peer() {
        return peer;
    }

    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    @Override
    public boolean isEstablished() {
        return manager.guarded(() -> state == State.ESTABLISHED);
    }

    @Override
    public void disconnect() throws VerbsException, InterruptedException {
        if (!manager.guarded(this::beginEnd)) {
            return;
        }
        fail(qp());
        manager.flush();
        synchronized (manager.monitor()) {
            while (state == State.ENDING) {
                manager.monitor().wait();
            }
            if (unanswered) {
                throw new VerbsException(
                        VerbsException.ETIMEDOUT,
                        "%s did not answer that the connection ends; it has ended here"
                                .formatted(peer));
            }
        }
    }

    @Override
    public boolean awaitDisconnect(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        synchronized (manager.monitor()) {
            while (state == State.ESTABLISHED || state == State.ENDING) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(manager.monitor(), left);
            }
        }
        return true;
    }

    @Override
    public void close() {
        if (manager.guarded(this::beginEnd)) {
            fail(qp());
            manager.flush();
        }
    }

    @Override
    public String toString() {
        return "connection 0x%x with %s".formatted(id, peer);
    }
}
