package org.ringside.verbs;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Queue pair. The provider's own final class is this object: each fast operation is one virtual
 * call.
 *
 * <p>Building sends, several under one doorbell:
 *
 * <pre>{@code
 * qp.start();
 * qp.wrId(1).flags(SendFlags.SIGNALED);
 * qp.write(rkey, remoteAddress);
 * qp.sge(lkey, address, length);
 * PostResult result = qp.submit();
 * }</pre>
 *
 * <p>Or one by one: {@link #postSend}, {@link #postWrite}, {@link #postRead}. Errors of a step are
 * kept until {@link #submit()}; a batch is posted as a whole or not at all.
 *
 * <p>Threading: sends of one QP come from one thread at a time, receives likewise; the two may be
 * different threads. No lock is taken. Slow calls may come from any thread, but not while another
 * posts.
 */
public abstract class QueuePair extends VerbsObject {
    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final int number;
    private final QpType type;
    private int port = 1;
    private int gidIndex;
    private int psn = ThreadLocalRandom.current().nextInt(1 << 24);
    private volatile QpState state = QpState.RESET;

    /** Number of the next work request, set by {@link #wrId}. */
    protected long nextWrId;

    /** Flags of the next work request, set by {@link #flags}. */
    protected int nextFlags;

    /**
     * For providers.
     *
     * @param number QP number, 24 bits
     */
    protected QueuePair(ProtectionDomain pd, QpOptions options, int number) {
        super("QP 0x" + Integer.toHexString(number) + " on " + pd.context().deviceName());
        this.pd = pd;
        this.sendCq = options.sendCq();
        this.recvCq = options.recvCq();
        this.number = number;
        this.type = options.type();
    }

    @Override
    final Object lock() {
        return pd.lock();
    }

    public final ProtectionDomain pd() {
        return pd;
    }

    public final CompletionQueue sendCq() {
        return sendCq;
    }

    public final CompletionQueue recvCq() {
        return recvCq;
    }

    /** QP number, 24 bits. */
    public final int number() {
        return number;
    }

    public final QpType type() {
        return type;
    }

    // ---- state, slow

    /** The state as last set or as the device reported it. */
    public final QpState state() {
        return state;
    }

    /** For providers: the device moved the QP by itself (an error). */
    protected final void stateChanged(QpState now) {
        state = now;
    }

    /** Asks the device for the state. */
    public final QpState queryState() throws VerbsException {
        synchronized (lock()) {
            requireOpen();
            state = doQueryState();
            return state;
        }
    }

    /**
     * What a peer needs to connect: this QP, the PSN it will start with, the address of GID index 0
     * of port 1.
     */
    public final Endpoint endpoint() throws VerbsException {
        return endpoint(1, 0);
    }

    /** What a peer needs to connect. {@link #connect} uses the same port, GID index and PSN. */
    public final Endpoint endpoint(int port, int gidIndex) throws VerbsException {
        Context context = pd.context();
        synchronized (lock()) {
            requireOpen();
            int lid = context.port(port).lid();
            Gid gid = context.gid(port, gidIndex);
            this.port = port;
            this.gidIndex = gidIndex;
            return new Endpoint(number, psn, lid, gid);
        }
    }

    /** Connects with default options, from the port and GID that {@link #endpoint} named. */
    public final void connect(Endpoint peer) throws VerbsException {
        connect(peer, new ConnectOptions().port(port).gidIndex(gidIndex));
    }

    /** Takes the QP from RESET to RTS, connected to a peer. */
    public final void connect(Endpoint peer, ConnectOptions options) throws VerbsException {
        synchronized (lock()) {
            DeviceAttributes device = pd.context().attributes();
            PortAttributes local = pd.context().port(options.port);
            Mtu mtu = Mtu.ofCode(Math.min(options.mtu.code(), local.activeMtu().code()));
            toInit(new QpTransitions.ToInit(options.port, 0, options.access));
            toRtr(
                    new QpTransitions.ToRtr(
                            AddressVector.to(peer, options.gidIndex),
                            mtu,
                            peer.qpNumber(),
                            peer.psn(),
                            Math.min(options.rdAtomic, device.maxDestRdAtomic()),
                            options.minRnrTimer));
            toRts(
                    new QpTransitions.ToRts(
                            psn,
                            options.timeout,
                            options.retryCount,
                            options.rnrRetry,
                            Math.min(options.rdAtomic, device.maxRdAtomic())));
        }
    }

    /** RESET to INIT: receives may be posted afterwards. */
    public final void toInit(QpTransitions.ToInit to) throws VerbsException {
        synchronized (lock()) {
            requireService(false);
            requireState("INIT", QpState.RESET);
            Checks.limit("port number", to.port(), 1, pd.context().attributes().ports());
            doToInit(to);
            state = QpState.INIT;
        }
    }

    /** RESET to INIT of a QP for datagrams: receives may be posted afterwards. */
    public final void toInit(QpTransitions.ToInitDatagram to) throws VerbsException {
        synchronized (lock()) {
            requireService(true);
            requireState("INIT", QpState.RESET);
            Checks.limit("port number", to.port(), 1, pd.context().attributes().ports());
            doToInitDatagram(to);
            state = QpState.INIT;
        }
    }

    /** INIT to RTR of a QP for datagrams: it receives. */
    public final void toRtr() throws VerbsException {
        synchronized (lock()) {
            requireService(true);
            requireState("RTR", QpState.INIT);
            doToRtrDatagram();
            state = QpState.RTR;
        }
    }

    /**
     * RTR to RTS of a QP for datagrams: sends may be posted.
     *
     * @param sendPsn PSN to start with, 24 bits
     */
    public final void toRts(int sendPsn) throws VerbsException {
        Checks.bits("send PSN", sendPsn, 24);
        synchronized (lock()) {
            requireService(true);
            requireState("RTS", QpState.RTR);
            doToRtsDatagram(sendPsn);
            state = QpState.RTS;
        }
    }

    /**
     * Takes a QP for datagrams from RESET to RTS.
     *
     * @param port port number from 1
     * @param qkey what a datagram has to carry to be received
     */
    public final void startDatagrams(int port, int qkey) throws VerbsException {
        synchronized (lock()) {
            toInit(new QpTransitions.ToInitDatagram(port, 0, qkey));
            toRtr();
            toRts(psn);
        }
    }

    /**
     * Receives what is sent to a multicast group, too. The number of the group's QP in datagrams is
     * 0xffffff (IBTA 10.5).
     */
    public final void attachMulticast(Gid group) throws VerbsException {
        synchronized (lock()) {
            requireOpen();
            requireService(true);
            doAttachMulticast(requireMulticast(group));
        }
    }

    /** Undoes {@link #attachMulticast}; harmless when that was not done. */
    public final void detachMulticast(Gid group) throws VerbsException {
        synchronized (lock()) {
            requireOpen();
            requireService(true);
            doDetachMulticast(requireMulticast(group));
        }
    }

    private Gid requireMulticast(Gid group) throws VerbsException {
        if (!group.isMulticast()) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s is no multicast address; use one of ff00::/8 or, mapped, of 224.0.0.0/4"
                            .formatted(group));
        }
        return group;
    }

    private void requireService(boolean datagrams) throws VerbsException {
        if (type.isDatagram() != datagrams) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s is of type %s: %s"
                            .formatted(
                                    this,
                                    type,
                                    datagrams
                                            ? "this is for datagrams only, make it with"
                                                    + " QpType.UD"
                                            : "it has no connection, take it to RTS with"
                                                    + " startDatagrams"));
        }
    }

    /** INIT to RTR: the QP answers its peer. */
    public final void toRtr(QpTransitions.ToRtr to) throws VerbsException {
        synchronized (lock()) {
            requireState("RTR", QpState.INIT);
            Checks.limit(
                    "max_dest_rd_atomic",
                    to.maxDestRdAtomic(),
                    0,
                    pd.context().attributes().maxDestRdAtomic());
            doToRtr(to);
            state = QpState.RTR;
        }
    }

    /** RTR to RTS: sends may be posted. */
    public final void toRts(QpTransitions.ToRts to) throws VerbsException {
        synchronized (lock()) {
            requireState("RTS", QpState.RTR);
            Checks.limit(
                    "max_rd_atomic", to.maxRdAtomic(), 0, pd.context().attributes().maxRdAtomic());
            doToRts(to);
            state = QpState.RTS;
        }
    }

    /**
     * Any state but RESET to ERR: all that is outstanding completes with {@link
     * WcStatus#WR_FLUSH_ERR}, in order.
     */
    public final void toErr() throws VerbsException {
        synchronized (lock()) {
            requireOpen();
            if (state == QpState.RESET) {
                throw wrongState("ERR");
            }
            doToErr();
            state = QpState.ERR;
        }
    }

    /**
     * Any state to RESET: what is outstanding is forgotten without completion, and completions of
     * this QP that have not been polled are taken from its CQs. No other thread may post to it or
     * poll its CQs meanwhile. The next connection uses a new PSN.
     */
    public final void toReset() throws VerbsException {
        synchronized (lock()) {
            requireOpen();
            doToReset();
            psn = ThreadLocalRandom.current().nextInt(1 << 24);
            state = QpState.RESET;
        }
    }

    private void requireState(String target, QpState needed) throws VerbsException {
        requireOpen();
        if (state != needed) {
            throw wrongState(target);
        }
    }

    private VerbsException wrongState(String target) {
        return new VerbsException(
                VerbsException.EINVAL,
                "%s is in state %s, from which there is no way to %s".formatted(this, state, target)
                        + (state == QpState.ERR ? "; take it to RESET first" : ""));
    }

    protected abstract QpState doQueryState() throws VerbsException;

    protected abstract void doToInit(QpTransitions.ToInit to) throws VerbsException;

    protected abstract void doToRtr(QpTransitions.ToRtr to) throws VerbsException;

    protected abstract void doToRts(QpTransitions.ToRts to) throws VerbsException;

    protected void doToInitDatagram(QpTransitions.ToInitDatagram to) throws VerbsException {
        throw pd.context().notSupported("datagrams");
    }

    protected void doToRtrDatagram() throws VerbsException {
        throw pd.context().notSupported("datagrams");
    }

    protected void doToRtsDatagram(int sendPsn) throws VerbsException {
        throw pd.context().notSupported("datagrams");
    }

    protected void doAttachMulticast(Gid group) throws VerbsException {
        throw pd.context().notSupported("multicast");
    }

    protected void doDetachMulticast(Gid group) throws VerbsException {
        throw pd.context().notSupported("multicast");
    }

    protected abstract void doToErr() throws VerbsException;

    protected abstract void doToReset() throws VerbsException;

    // ---- sends, fast: builder

    /** Begins a batch of sends. */
    public abstract void start();

    /** Number of the next work request, handed back with its completion. */
    public final QueuePair wrId(long wrId) {
        nextWrId = wrId;
        return this;
    }

    /** {@link SendFlags} of the next work requests. */
    public final QueuePair flags(int flags) {
        nextFlags = flags;
        return this;
    }

    /** Next work request: SEND. */
    public abstract void send();

    /** Next work request: SEND with immediate data. */
    public abstract void sendImm(int immediate);

    /** Next work request: WRITE. */
    public abstract void write(int rkey, long remoteAddress);

    /** Next work request: WRITE with immediate data; takes a receive at the peer. */
    public abstract void writeImm(int rkey, long remoteAddress, int immediate);

    /** Next work request: READ. */
    public abstract void read(int rkey, long remoteAddress);

    /**
     * Next work request: compare and swap of 8 bytes; the old value comes into the 8-byte SGE, both
     * in host byte order.
     */
    public abstract void compareSwap(int rkey, long remoteAddress, long compare, long swap);

    /** Next work request: fetch and add of 8 bytes; the old value comes into the 8-byte SGE. */
    public abstract void fetchAdd(int rkey, long remoteAddress, long add);

    /**
     * Where the datagram just begun goes.
     *
     * @param remoteQp number of the QP there, 24 bits
     * @param remoteQkey the Q_Key of that QP; with its highest bit set, the sending QP's own goes
     *     out instead (IBTA 10.2.5)
     */
    public void to(AddressHandle handle, int remoteQp, int remoteQkey) {
        throw new UnsupportedOperationException(this + " sends no datagrams");
    }

    /** Data of the work request just begun: one more scatter/gather entry. */
    public abstract void sge(int lkey, long address, long length);

    /**
     * Data of the work request just begun: copied into the queue now, so the memory is free at
     * once. Heap memory will do. May be called several times; not together with {@link #sge}.
     */
    public abstract void inline(MemorySegment from, long offset, int length);

    /** Ends the batch: all of it under one doorbell, or nothing. */
    public abstract PostResult submit();

    /** Ends the batch: nothing of it is posted. */
    public abstract void abort();

    // ---- sends, fast: one request, one call

    /** Posts one SEND of one piece of memory. */
    public PostResult postSend(long wrId, int flags, int lkey, long address, long length) {
        start();
        wrId(wrId).flags(flags);
        send();
        sge(lkey, address, length);
        return submit();
    }

    /** Posts one SEND of inline data. */
    public PostResult postSendInline(
            long wrId, int flags, MemorySegment from, long offset, int length) {
        start();
        wrId(wrId).flags(flags);
        send();
        inline(from, offset, length);
        return submit();
    }

    /** Posts one WRITE of one piece of memory. */
    public PostResult postWrite(
            long wrId,
            int flags,
            int lkey,
            long address,
            long length,
            int rkey,
            long remoteAddress) {
        start();
        wrId(wrId).flags(flags);
        write(rkey, remoteAddress);
        sge(lkey, address, length);
        return submit();
    }

    /** Posts one READ into one piece of memory. */
    public PostResult postRead(
            long wrId,
            int flags,
            int lkey,
            long address,
            long length,
            int rkey,
            long remoteAddress) {
        start();
        wrId(wrId).flags(flags);
        read(rkey, remoteAddress);
        sge(lkey, address, length);
        return submit();
    }

    // ---- receives, fast

    /** Begins a batch of receives. */
    public abstract void startRecv();

    /** Next receive work request. */
    public abstract void recv(long wrId);

    /** Where the receive just begun puts data: one more scatter/gather entry. */
    public abstract void recvSge(int lkey, long address, long length);

    /** Ends the batch: all of it is handed to the device, or nothing. */
    public abstract PostResult submitRecv();

    /** Posts one receive into one piece of memory. */
    public PostResult postRecv(long wrId, int lkey, long address, long length) {
        startRecv();
        recv(wrId);
        recvSge(lkey, address, length);
        return submitRecv();
    }
}
