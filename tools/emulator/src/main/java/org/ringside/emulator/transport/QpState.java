package org.ringside.emulator.transport;

import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * A QP (PRM, Queue Pair Context). The command side fills in the public fields as commands carry
 * them, then changes the state through {@link Engine#modify}; the engine owns the rest.
 *
 * <p>Public fields are in the units of the verbs, not of the context: bytes for {@link #mtu}, a
 * count for the READ depths.
 */
public final class QpState {
    /** States (IBTA 10.3.1), in the order of the context's codes 0 to 6. */
    public enum State {
        RESET,
        INIT,
        RTR,
        RTS,
        SQE,
        SQD,
        ERR;

        /** Whether requests of the peer are served. */
        boolean responds() {
            return this == RTR || this == RTS || this == SQE || this == SQD;
        }
    }

    /** Full member of the default partition (IBTA 10.9.1.2). */
    public static final int DEFAULT_PKEY = 0xffff;

    /** Timer and retry codes that never end. */
    public static final int INFINITE_RNR_RETRY = 7;

    final Service service;
    final int qpn;
    final int pd;
    final int userIndex;

    /** What CQEs carry besides the QPN; 0 in CQE version 0, where an SRQN would be. */
    final int cqeIndex;

    final int uar;
    final CqState sendCq;
    final CqState receiveCq;
    final WorkQueues queues;

    /** Peers may READ (rre). */
    public boolean remoteRead;

    /** Peers may WRITE (rwe). */
    public boolean remoteWrite;

    /** Peers may do atomics (rae). */
    public boolean remoteAtomic;

    /** Where receives come from, when it is not a queue of its own. */
    public @Nullable SrqState srq;

    /** XRC domain of a target, or {@link SrqState#NO_XRCD}. */
    public int xrcd = SrqState.NO_XRCD;

    /** Key that datagrams must carry, and that privileged ones of its own do. */
    public int qkey;

    /** Its row of the P_Key table, as a value: what packets carry, and must match. */
    public int pkey = DEFAULT_PKEY;

    /** QPN that its datagrams carry as source; its own by default. */
    public int sourceQpn;

    /** LID of the peer; 0 when the GID says it all, as in RoCE. */
    public int remoteLid;

    /** Path MTU in bytes: 256, 512, 1024, 2048 or 4096. */
    public int mtu = 1024;

    /** log2 of the longest message in bytes. */
    public int logMaxMessage = 30;

    /** QPN of the peer, 24 bits. */
    public int remoteQpn;

    /** Whether the peer is on this function whatever the address says (fl). */
    public boolean forceLoopback;

    /** GID of the peer, bytes 0 to 7 in big-endian order. */
    public long remoteGidHigh;

    /** GID of the peer, bytes 8 to 15 in big-endian order. */
    public long remoteGidLow;

    /** Row of the own GID table that packets carry as source. */
    public int sourceGidIndex;

    /** MAC of the peer, on Ethernet. */
    public long remoteMac;

    /** DSCP and ECN of packets to the peer. */
    public int trafficClass;

    /** Hop limit of packets to the peer. */
    public int hopLimit;

    /** IPv6 flow label of packets to the peer, 20 bits. */
    public int flowLabel;

    /** UDP source port of packets to the peer; 0 when the device chooses. */
    public int sourcePort;

    /** PSN of the next request to send, 24 bits. */
    public int nextSendPsn;

    /** PSN of the next request that is expected, 24 bits. */
    public int nextReceivePsn;

    /** What an RNR NAK tells the peer: code 0 to 31 of IBTA table 46. */
    public int minRnrTimer;

    /** READs and atomics of the peer that are served at a time; 0 refuses them. */
    public int maxIncomingReads = 1;

    /** READs and atomics that are sent at a time; 0 allows none. */
    public int maxOutgoingReads = 1;

    /** Repetitions after a time-out or sequence error, 0 to 7. */
    public int retryCount;

    /** Repetitions after RNR, 0 to 6, or {@link #INFINITE_RNR_RETRY}. */
    public int rnrRetry;

    /** Time-out of 4.096 us * 2^code, code 1 to 31; 0 waits forever. */
    public int ackTimeout;

    /** Whether events tell of the end of SQD. */
    public boolean notifyDrained;

    private static final int NONE = -1;

    State state = State.RESET;

    /** Receive WQEs consumed, 16 bits. */
    int receiveHead;

    /** Receive counter of the doorbell record, as last read, 16 bits. */
    int receiveProducer;

    /** The receive counter could not be true when it was last read; that was told. */
    boolean recordDoubted;

    /** WQE of {@link #claimedFrom} that a message of the peer has begun to fill, or −1. */
    int claimed = NONE;

    @Nullable SrqState claimedFrom;

    /** Requests completed as responder, 24 bits. */
    int msn;

    /** A NAK for a PSN gap was sent, the next one waits for the gap to close. */
    boolean sequenceNakSent;

    /** The peer's first message came (IBTA communication established event). */
    boolean established;

    /** Whether it is in the engine's list of QPs with work. */
    boolean scheduled;

    /** While the peer is beyond the uplink. */
    @Nullable FarQp far;

    @Nullable SendQueue send;
    @Nullable HostRing ring;
    @Nullable HostRecord record;

    /** Engine of the peer as the address was last resolved, and when that was. */
    @Nullable Engine peer;

    int peerGeneration;

    /** As below, for a reliable connection. */
    public QpState(
            int qpn,
            int pd,
            int userIndex,
            int uar,
            CqState sendCq,
            CqState receiveCq,
            WorkQueues queues) {
        this(Service.RC, qpn, pd, userIndex, uar, sendCq, receiveCq, queues);
    }

    /**
     * @param service what it does
     * @param qpn number, 24 bits
     * @param pd protection domain
     * @param userIndex what CQEs carry besides the QPN, 24 bits
     * @param uar page of its doorbells
     * @param sendCq completions of send WQEs
     * @param receiveCq completions of receive WQEs
     * @param queues rings and doorbell record
     */
    public QpState(
            Service service,
            int qpn,
            int pd,
            int userIndex,
            int uar,
            CqState sendCq,
            CqState receiveCq,
            WorkQueues queues) {
        this.service = service;
        this.qpn = qpn;
        this.sourceQpn = qpn;
        this.pd = pd;
        this.userIndex = userIndex;
        this.cqeIndex = userIndex == SrqState.NO_USER_INDEX ? 0 : userIndex;
        this.uar = uar;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.queues = queues;
    }

    /** What it does. */
    public Service service() {
        return service;
    }

    /** Number. */
    public int qpn() {
        return qpn;
    }

    /** Protection domain. */
    public int pd() {
        return pd;
    }

    /** What CQEs carry besides the QPN. */
    public int userIndex() {
        return userIndex;
    }

    /** Page of its doorbells. */
    public int uar() {
        return uar;
    }

    /** Completions of send WQEs. */
    public CqState sendCq() {
        return sendCq;
    }

    /** Completions of receive WQEs. */
    public CqState receiveCq() {
        return receiveCq;
    }

    /** Rings and doorbell record. */
    public WorkQueues queues() {
        return queues;
    }

    /** Where it is in its life; changed by {@link Engine#modify} and by errors. */
    public State state() {
        return state;
    }

    /** Send blocks consumed, 16 bits: QUERY_QP hw_sq_wqebb_counter. */
    public int sendCounter() {
        return send == null ? 0 : send.head;
    }

    /** Receive WQEs consumed, 16 bits: QUERY_QP hw_rq_counter. */
    public int receiveCounter() {
        return receiveHead;
    }

    void attach(HostMemory memory) {
        HostRing both = new HostRing(queues.pages(), memory, false);
        ring = both;
        record = new HostRecord(queues.doorbellRecord(), memory);
        send =
                queues.logSqSize() == WorkQueues.NONE
                        ? null
                        : new SendQueue(both, queues.rqBytes(), queues.logSqSize());
    }

    void resetQueues() {
        receiveHead = 0;
        receiveProducer = 0;
        claimed = NONE;
        claimedFrom = null;
        msn = 0;
        sequenceNakSent = false;
        established = false;
        peerGeneration = 0;
        if (send != null) {
            send.reset();
        }
    }

    @Override
    public String toString() {
        return "QP 0x%x".formatted(qpn);
    }
}
