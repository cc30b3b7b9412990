package org.ringside.softroce;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.roce.Connection;
import org.ringside.roce.QpOwner;
import org.ringside.roce.ReceiveRequest;
import org.ringside.roce.Received;
import org.ringside.roce.RoceQp;
import org.ringside.roce.SendAttributes;
import org.ringside.roce.SendRequest;
import org.ringside.roce.SendRequest.Kind;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Service;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.Gid;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/** A queue pair: its rings on the application's side, its {@link RoceQp} on the agent's. */
final class SoftQp extends QueuePair implements QpOwner, CompletionRing.Owner {
    private static final VarHandle RUNG;

    static {
        try {
            RUNG = MethodHandles.lookup().findVarHandle(SoftQp.class, "rung", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Requests that the transport has under way at most; the rest waits in the ring. */
    private static final int UNDER_WAY = 128;

    private final SoftContext context;
    private final SoftAgent agent;
    private final SoftCq sendTo;
    private final SoftCq recvTo;
    private final SendRing sends;
    private final ReceiveRing receives;
    private final RoceQp transport;
    private int access;

    /** In the agent's {@link Doorbells}. */
    @SuppressWarnings("unused")
    private boolean rung;

    private SoftQp(SoftContext context, SoftPd pd, QpOptions options, int number)
            throws VerbsException {
        super(pd, options, number);
        this.context = context;
        this.agent = context.agent();
        this.sendTo = (SoftCq) options.sendCq();
        this.recvTo = (SoftCq) options.recvCq();
        int slots = SoftContext.powerOfTwo(options.sendWrs());
        long maxMessage = context.attributes().maxMessageSize();
        this.sends =
                new SendRing(
                        slots,
                        options.sendSges(),
                        options.inlineBytes(),
                        maxMessage,
                        options.signalAll(),
                        options.type().isDatagram());
        this.receives =
                new ReceiveRing(
                        SoftContext.powerOfTwo(options.recvWrs()), options.recvSges(), maxMessage);
        org.ringside.roce.QpOptions made =
                new org.ringside.roce.QpOptions(
                        number,
                        service(options.type()),
                        pd.number,
                        Math.min(slots, UNDER_WAY),
                        Math.max(options.sendSges(), options.recvSges()),
                        options.inlineBytes(),
                        0);
        this.transport = agent.call(() -> agent.transport().create(made, this, sends, receives));
    }

    static SoftQp create(SoftContext context, SoftPd pd, QpOptions options) throws VerbsException {
        int number = options.type() == QpType.GSI ? context.gsiNumber() : context.nextQpNumber();
        SoftQp qp = new SoftQp(context, pd, options, number);
        context.add(qp);
        return qp;
    }

    private static Service service(QpType type) {
        return switch (type) {
            case RC -> Service.RC;
            case UC -> Service.UC;
            case UD, GSI -> Service.UD;
        };
    }

    RoceQp transport() {
        return transport;
    }

    // ---- completions and events, on the agent's thread

    @Override
    public void sendDone(RoceQp qp, SendRequest request, WcStatus status) {
        if (request.signaled || status != WcStatus.SUCCESS) {
            WcOpcode opcode = request.kind.completion();
            boolean reads =
                    opcode == WcOpcode.RDMA_READ
                            || opcode == WcOpcode.COMP_SWAP
                            || opcode == WcOpcode.FETCH_ADD;
            complete(
                    sendTo.add(
                            this,
                            true,
                            request.index,
                            request.id,
                            status,
                            opcode,
                            reads ? request.length() : 0,
                            null,
                            false),
                    sendTo);
        }
    }

    @Override
    public void receiveDone(RoceQp qp, ReceiveRequest request, WcStatus status, Received received) {
        boolean good = status == WcStatus.SUCCESS;
        complete(
                recvTo.add(
                        this,
                        false,
                        request.index,
                        request.id,
                        status,
                        received.opcode,
                        good ? received.byteLength : 0,
                        good ? received : null,
                        good && received.solicited),
                recvTo);
    }

    private void complete(boolean hadRoom, SoftCq cq) {
        if (!hadRoom) {
            context.overrun(cq, this);
        }
    }

    @Override
    public void stateChanged(RoceQp qp, QpState now) {
        stateChanged(now);
    }

    @Override
    public void event(RoceQp qp, Event event) {
        context.event(this, event);
    }

    /** The CQs have no room, or the port died: what is outstanding is flushed. */
    void fail() {
        if (transport.state() != QpState.RESET && transport.state() != QpState.ERR) {
            transport.toError();
            stateChanged(QpState.ERR);
        }
    }

    /** Nothing can be posted any more. */
    void lose() {
        sends.open(false, PostResult.DEVICE_LOST);
        receives.open(false, PostResult.DEVICE_LOST);
        fail();
    }

    @Override
    public void polled(boolean send, int position) {
        if (send) {
            sends.complete(position);
        } else {
            receives.complete(position);
        }
    }

    // ---- state

    private void requireDefaultPkey(int index) throws VerbsException {
        if (index != 0) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s: P_Key index %d; the table has one entry, 0".formatted(this, index));
        }
    }

    @Override
    protected QpState doQueryState() throws VerbsException {
        return agent.call(transport::state);
    }

    @Override
    protected void doToInit(QpTransitions.ToInit to) throws VerbsException {
        requireDefaultPkey(to.pkeyIndex());
        access = SoftMr.rights(to.access());
        agent.run(transport::toInit);
        open(false);
    }

    @Override
    protected void doToInitDatagram(QpTransitions.ToInitDatagram to) throws VerbsException {
        requireDefaultPkey(to.pkeyIndex());
        agent.run(
                () -> {
                    transport.setQkey(to.qkey());
                    transport.toInit();
                });
        open(false);
    }

    /** Datagrams have no peer; what counts of the connection is the port's MTU. */
    @Override
    protected void doToRtrDatagram() throws VerbsException {
        Connection connection = Connection.none(context.activeMtu().bytes());
        agent.run(() -> transport.toRtr(connection));
    }

    @Override
    protected void doToRtsDatagram(int sendPsn) throws VerbsException {
        SendAttributes attributes = new SendAttributes(sendPsn, 0, 0, 0, 0);
        agent.run(() -> transport.toRts(attributes, System.nanoTime()));
        open(true);
    }

    @Override
    protected void doAttachMulticast(Gid group) throws VerbsException {
        agent.run(() -> agent.transport().attach(transport, group.high(), group.low()));
    }

    @Override
    protected void doDetachMulticast(Gid group) throws VerbsException {
        agent.run(() -> agent.transport().detach(transport, group.high(), group.low()));
    }

    @Override
    protected void doToRtr(QpTransitions.ToRtr to) throws VerbsException {
        int most = context.activeMtu().bytes();
        if (to.mtu().bytes() > most) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s: path MTU %d; the port carries packets of %d at most"
                            .formatted(this, to.mtu().bytes(), most));
        }
        Flow flow = context.flow(to.path(), number(), to.destinationQp());
        Connection connection =
                new Connection(
                        flow,
                        to.destinationQp(),
                        to.mtu().bytes(),
                        to.receivePsn(),
                        to.maxDestRdAtomic(),
                        to.minRnrTimer(),
                        access);
        agent.run(() -> transport.toRtr(connection));
    }

    @Override
    protected void doToRts(QpTransitions.ToRts to) throws VerbsException {
        SendAttributes attributes =
                new SendAttributes(
                        to.sendPsn(),
                        to.timeout(),
                        to.retryCount(),
                        to.rnrRetry(),
                        to.maxRdAtomic());
        agent.run(() -> transport.toRts(attributes, System.nanoTime()));
        open(true);
    }

    /** Posts still go through: they complete with flush errors. */
    @Override
    protected void doToErr() throws VerbsException {
        agent.run(transport::toError);
        open(true);
    }

    private void open(boolean both) {
        if (both) {
            sends.open(true, PostResult.POSTED);
        }
        receives.open(true, PostResult.POSTED);
        if (context.isLost()) {
            sends.open(false, PostResult.DEVICE_LOST);
            receives.open(false, PostResult.DEVICE_LOST);
        }
    }

    @Override
    protected void doToReset() throws VerbsException {
        stop();
        sends.reset();
        receives.reset();
    }

    private void stop() throws VerbsException {
        sends.open(false, PostResult.WRONG_STATE);
        receives.open(false, PostResult.WRONG_STATE);
        agent.run(
                () -> {
                    transport.toReset();
                    sendTo.ring().forget(this);
                    recvTo.ring().forget(this);
                });
    }

    @Override
    protected void doClose() throws VerbsException {
        sends.abort();
        receives.abort();
        stop();
        agent.run(() -> agent.transport().destroy(transport));
        context.remove(this);
    }

    // ---- sends

    @Override
    public void start() {
        sends.start();
    }

    @Override
    public void send() {
        sends.begin(Kind.SEND, nextWrId, nextFlags, 0);
    }

    @Override
    public void sendImm(int immediate) {
        sends.begin(Kind.SEND_IMMEDIATE, nextWrId, nextFlags, immediate);
    }

    @Override
    public void write(int rkey, long remoteAddress) {
        sends.begin(Kind.WRITE, nextWrId, nextFlags, 0);
        sends.remote(rkey, remoteAddress);
    }

    @Override
    public void writeImm(int rkey, long remoteAddress, int immediate) {
        sends.begin(Kind.WRITE_IMMEDIATE, nextWrId, nextFlags, immediate);
        sends.remote(rkey, remoteAddress);
    }

    @Override
    public void read(int rkey, long remoteAddress) {
        sends.begin(Kind.READ, nextWrId, nextFlags, 0);
        sends.remote(rkey, remoteAddress);
    }

    @Override
    public void compareSwap(int rkey, long remoteAddress, long compare, long swap) {
        sends.begin(Kind.COMPARE_SWAP, nextWrId, nextFlags, 0);
        sends.atomic(rkey, remoteAddress, swap, compare);
    }

    @Override
    public void fetchAdd(int rkey, long remoteAddress, long add) {
        sends.begin(Kind.FETCH_ADD, nextWrId, nextFlags, 0);
        sends.atomic(rkey, remoteAddress, add, 0);
    }

    @Override
    public void to(AddressHandle handle, int remoteQp, int remoteQkey) {
        sends.to(((SoftAh) handle).flow, remoteQp, remoteQkey);
    }

    @Override
    public void sge(int lkey, long address, long length) {
        sends.sge(lkey, address, length);
    }

    @Override
    public void inline(MemorySegment from, long offset, int length) {
        sends.inline(from, offset, length);
    }

    @Override
    public PostResult submit() {
        PostResult result = sends.submit();
        if (result == PostResult.POSTED) {
            ring();
        }
        return result;
    }

    @Override
    public void abort() {
        sends.abort();
    }

    private void ring() {
        if (!(boolean) RUNG.getAndSet(this, true)) {
            agent.ring(number());
        }
    }

    /**
     * Its doorbell was heard. On the agent's thread. The exchange, not a mere store, orders what
     * was posted before the last ring in front of what the transport reads now.
     */
    void heard() {
        boolean was = (boolean) RUNG.getAndSet(this, false);
        assert was;
        transport.kick();
    }

    // ---- receives

    @Override
    public void startRecv() {
        receives.start();
    }

    @Override
    public void recv(long wrId) {
        receives.begin(wrId);
    }

    @Override
    public void recvSge(int lkey, long address, long length) {
        receives.sge(lkey, address, length);
    }

    @Override
    public PostResult submitRecv() {
        PostResult result = receives.submit();
        // The transport looks for receives when a message comes; in ERR nothing comes.
        if (result == PostResult.POSTED && state() == QpState.ERR) {
            ring();
        }
        return result;
    }
}
