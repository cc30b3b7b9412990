package org.ringside.roce;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Service;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/**
 * A queue pair: its state (IBTA 10.3.1) and the two sides of its transport. Made by {@link
 * Transport#create}; all calls on the agent's thread.
 *
 * <pre>
 *   RESET -> INIT -> RTR -> RTS <-> SQD          any -> ERR -> RESET
 *                            ^---- SQE           UC, UD: a send failed
 * </pre>
 */
public final class RoceQp {
    private final Transport transport;
    private final QpOptions options;
    private final QpOwner owner;
    private final SendSource sends;
    private final ReceiveSource receives;
    private final CongestionControl congestion;
    private final Requester requester;
    private final Responder responder;
    private QpState state = QpState.RESET;
    private @Nullable Connection connection;
    private boolean heard;
    private int qkey;
    private long lastCnp = Long.MIN_VALUE;

    /** Link in the transport's list of QPs that have something to send. */
    @Nullable RoceQp nextReady;

    boolean ready;

    RoceQp(
            Transport transport,
            QpOptions options,
            QpOwner owner,
            SendSource sends,
            ReceiveSource receives) {
        this.transport = transport;
        this.options = options;
        this.owner = owner;
        this.sends = sends;
        this.receives = receives;
        this.qkey = options.qkey();
        this.congestion = new CongestionControl(this, transport);
        switch (options.service()) {
            case RC -> {
                requester = new RcRequester(this);
                responder = new RcResponder(this);
            }
            case UC -> {
                requester = new UnreliableRequester(this);
                responder = new UcResponder(this);
            }
            case UD -> {
                requester = new UnreliableRequester(this);
                responder = new UdResponder(this);
            }
            default -> throw new IllegalArgumentException("no QP of service " + options.service());
        }
    }

    /** 24 bits. */
    public int number() {
        return options.number();
    }

    public Service service() {
        return options.service();
    }

    /** Protection domain. */
    public int pd() {
        return options.pd();
    }

    public QpState state() {
        return state;
    }

    /** UD: what a datagram has to carry to be received. */
    int qkey() {
        return qkey;
    }

    /** UD, before INIT: another Q_Key than the QP was made with. */
    public void setQkey(int qkey) {
        this.qkey = qkey;
    }

    QpOptions options() {
        return options;
    }

    Transport transport() {
        return transport;
    }

    QpOwner owner() {
        return owner;
    }

    SendSource sends() {
        return sends;
    }

    /** Completes as flushed what its owner has not handed over yet, by way of a free request. */
    void flushSends(SendRequest free) {
        free.clear();
        while (sends.next(free)) {
            owner.sendDone(this, free, WcStatus.WR_FLUSH_ERR);
            free.clear();
        }
    }

    ReceiveSource receives() {
        return receives;
    }

    /** What it is connected to; from RTR on. */
    Connection connection() {
        if (connection == null) {
            throw new IllegalStateException(this + " is not connected");
        }
        return connection;
    }

    CongestionControl congestion() {
        return congestion;
    }

    boolean isConnectedService() {
        return options.service() != Service.UD;
    }

    // ---- transitions

    /** RESET to INIT. */
    public void toInit() {
        require(QpState.RESET, QpState.INIT);
        state = QpState.INIT;
    }

    /** INIT to RTR. That of a UD QP is {@link Connection#none}. */
    public void toRtr(Connection to) {
        require(QpState.INIT, QpState.RTR);
        connection = to;
        heard = false;
        responder.start(to);
        state = QpState.RTR;
    }

    /** RTR to RTS. */
    public void toRts(SendAttributes attributes, long now) {
        require(QpState.RTR, QpState.RTS);
        requester.start(attributes, now);
        state = QpState.RTS;
        kick();
    }

    /** RTS to SQD: what was started ends, then {@link QpOwner.Event#SEND_QUEUE_DRAINED}. */
    public void toSqd() {
        require(QpState.RTS, QpState.SQD);
        state = QpState.SQD;
        drained();
    }

    /** SQD or SQE back to RTS. */
    public void resume() {
        if (state != QpState.SQD && state != QpState.SQE) {
            throw new IllegalStateException(this + " is neither in SQD nor in SQE");
        }
        state = QpState.RTS;
        kick();
    }

    /** Any state but RESET to ERR: all that is outstanding ends with a flush. */
    public void toError() {
        if (state == QpState.RESET) {
            throw new IllegalStateException(
                    this + " is in RESET, from which there is no way to ERR");
        }
        if (state != QpState.ERR) {
            state = QpState.ERR;
            flush();
        }
    }

    /** Any state to RESET: all is forgotten. */
    public void toReset() {
        congestion.stop();
        requester.reset();
        responder.reset();
        connection = null;
        state = QpState.RESET;
    }

    private void require(QpState from, QpState to) {
        if (state != from) {
            throw new IllegalStateException(
                    "%s: no way to %s, only from %s".formatted(this, to, from));
        }
    }

    /** The transport met an error that ends the connection. */
    void fail() {
        if (state != QpState.ERR) {
            state = QpState.ERR;
            owner.stateChanged(this, QpState.ERR);
            flush();
        }
    }

    /** A send of UC or UD failed: only the send queue stops (IBTA 10.3.1.6). */
    void failSends() {
        state = QpState.SQE;
        owner.stateChanged(this, QpState.SQE);
        requester.flush();
    }

    private void flush() {
        requester.flush();
        responder.flush();
        if (receives.isShared()) {
            owner.event(this, QpOwner.Event.LAST_RECEIVE_REACHED);
        }
        kick();
    }

    /** Tells, in SQD, that the send queue ran dry. */
    void drained() {
        if (state == QpState.SQD && requester.isIdle()) {
            owner.event(this, QpOwner.Event.SEND_QUEUE_DRAINED);
        }
    }

    // ---- work

    /** Something was posted, or can go on: the QP gets its turn. */
    public void kick() {
        transport.ready(this);
    }

    /** Its turn: answers first, since peers wait for them. */
    boolean transmit(int budget, long now) {
        if (state == QpState.RESET || state == QpState.INIT) {
            return false;
        }
        boolean more = responder.transmit(budget, now);
        switch (state) {
            case RTS, SQD -> more |= requester.transmit(budget, now);
            case SQE -> requester.flush();
            case ERR -> {
                requester.flush();
                responder.flush();
            }
            default -> {}
        }
        return more;
    }

    /** A packet for this QP whose ICRC is right. */
    void receive(Packet packet, long now) {
        if (packet.opcode().operation().isResponse()) {
            if (state == QpState.RTS || state == QpState.SQD) {
                requester.response(packet, now);
            } else {
                transport.count(Counter.WRONG_STATE);
            }
            return;
        }
        switch (state) {
            case RTR -> {
                if (!heard && isConnectedService()) {
                    heard = true;
                    owner.event(this, QpOwner.Event.COMMUNICATION_ESTABLISHED);
                }
                responder.request(packet, now);
            }
            case RTS, SQD, SQE -> responder.request(packet, now);
            default -> transport.count(Counter.WRONG_STATE);
        }
    }

    /** Whether a notification may go; not more than one in 50 us (A17.9.3 leaves it open). */
    boolean mayNotify(long now) {
        if (lastCnp != Long.MIN_VALUE && now - lastCnp < Transport.CNP_INTERVAL_NANOS) {
            return false;
        }
        lastCnp = now;
        return true;
    }

    @Override
    public String toString() {
        return "%s QP 0x%x (%s)".formatted(options.service(), options.number(), state);
    }
}
