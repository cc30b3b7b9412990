package org.ringside.emulator.transport;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.Agent;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.HostMemory;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.ethernet.EthernetPort;
import org.ringside.mlx5.layout.EventType;

/**
 * The data path of one function. The command side gives it keys, CQs and QPs, changes their state
 * through {@link #modify}, tells it of doorbells, and calls {@link #poll} once in each duty cycle.
 *
 * <p>Threading: the agent's thread only.
 */
public final class Engine {
    /** How often the uplink is looked at while no QP is connected by it. */
    private static final long UPLINK_PARK_NANOS = 1_000_000;

    /** How often queues in ERR are looked at for new WQEs, which no doorbell need announce. */
    private static final long ERROR_SCAN_NANOS = Agent.SHARED_MEMORY_PARK_NANOS;

    final HostMemory memory;
    final EngineEvents events;
    final Findings findings;
    final Wire wire;
    final @Nullable CqeTap tap;

    /** Whether the next CQE is lost on its way. */
    final BooleanSupplier losesCqe;

    final NumberedTable<MkeyState> mkeys = new NumberedTable<>();
    final NumberedTable<QpState> qps = new NumberedTable<>();
    final CompletionWriter completions;
    final Receives receives;
    final Responder responder;
    final PortTraffic unicast = new PortTraffic();
    final PortTraffic multicast = new PortTraffic();
    final Connection connection;
    final Datagrams datagrams;
    final MulticastGroups groups = new MulticastGroups();
    final SharedReceives sharedReceives;
    private final NumberedTable<CqState> cqs = new NumberedTable<>();
    private final NumberedTable<SrqState> srqs = new NumberedTable<>();
    private @Nullable QpState smi;
    private @Nullable QpState gsi;
    private final LongSupplier clock;
    private final Requester requester;
    private final Flusher flusher;
    private final @Nullable Uplink uplink;
    private final ArrayDeque<Runnable> later = new ArrayDeque<>();
    private final WorkList work = new WorkList();
    private final Sleepers sleepers = new Sleepers();
    private final List<QpState> failed = new ArrayList<>();

    /** Monotonic time of this duty cycle. */
    long now;

    private long nextErrorScan;

    /**
     * @param memory of the host, as the function sees it
     * @param events where completions and errors are announced
     * @param findings what the examiner sees
     * @param wire that joins the functions of the agent
     * @param clock monotonic nanoseconds
     */
    public Engine(
            HostMemory memory,
            EngineEvents events,
            Findings findings,
            Wire wire,
            LongSupplier clock) {
        this(memory, events, findings, wire, clock, null, () -> false);
    }

    /**
     * @param tap sees each CQE; null when nobody wants to
     * @param losesCqe asked for each CQE: whether it is lost, as if it had been written
     */
    public Engine(
            HostMemory memory,
            EngineEvents events,
            Findings findings,
            Wire wire,
            LongSupplier clock,
            @Nullable CqeTap tap,
            BooleanSupplier losesCqe) {
        this.memory = memory;
        this.events = events;
        this.findings = findings;
        this.wire = wire;
        this.tap = tap;
        this.losesCqe = losesCqe;
        this.clock = clock;
        this.now = clock.getAsLong();
        this.completions = new CompletionWriter(this);
        this.sharedReceives = new SharedReceives(this);
        this.receives = new Receives(this);
        this.datagrams = new Datagrams(this);
        this.connection = new Connection(this);
        this.responder = new Responder(this);
        this.requester = new Requester(this);
        this.flusher = new Flusher(this);
        EthernetPort nic = wire.uplink();
        this.uplink = nic == null ? null : new Uplink(this, nic, now);
    }

    /** Puts a GID into a row of the function's table, or zeros to empty it. */
    public void setGid(int index, long high, long low) {
        wire.setGid(this, index, high, low);
        if (uplink != null) {
            uplink.gid(index, high, low);
        }
    }

    /**
     * @throws IllegalArgumentException when the index is taken or has more than 24 bits
     */
    public void add(MkeyState mkey) {
        mkey.attach(memory);
        mkeys.put(mkey.index(), mkey);
    }

    /** WQEs that name it fail from now on. Unknown ones are ignored. */
    public void removeMkey(int index) {
        MkeyState mkey = mkeys.get(index);
        if (mkey != null) {
            mkey.drop();
            mkeys.remove(index);
        }
    }

    /** A work request changed a key: the new state has the index of the old one. */
    void replace(MkeyState old, MkeyState next) {
        removeMkey(old.index());
        add(next);
    }

    /** What connected QPs and datagrams to one receiver sent and got. */
    public PortTraffic unicast() {
        return unicast;
    }

    /** Datagrams to multicast groups. */
    public PortTraffic multicast() {
        return multicast;
    }

    /** The key with an index, or null. */
    public @Nullable MkeyState mkey(int index) {
        return mkeys.get(index);
    }

    /**
     * @throws IllegalArgumentException when the number is taken or has more than 24 bits
     */
    public void add(CqState cq) {
        cq.attach(memory);
        cqs.put(cq.cqn, cq);
    }

    /**
     * Moves a CQ to another buffer; a CQE in the old one tells software from where on.
     *
     * @return false when CQEs that software has not consumed do not fit
     */
    public boolean resize(CqState cq, int logSize, int cqeBytes, PageList pages) {
        return completions.resize(cq, logSize, cqeBytes, pages);
    }

    /** No QP may use it any more. */
    public void remove(CqState cq) {
        cqs.remove(cq.cqn);
    }

    /** The CQ with a number, or null. */
    public @Nullable CqState cq(int cqn) {
        return cqs.get(cqn);
    }

    /**
     * @throws IllegalArgumentException when the number is taken or has more than 24 bits
     */
    public void add(SrqState srq) {
        srq.attach(memory);
        srqs.put(srq.number, srq);
    }

    /** No QP may use it any more. */
    public void remove(SrqState srq) {
        srqs.remove(srq.number);
    }

    /** The SRQ with a number, or null. */
    public @Nullable SrqState srq(int number) {
        return srqs.get(number);
    }

    /**
     * Asks for an event when fewer WQEs are posted than a limit; raised at once when that is so
     * already. 0 takes the wish back.
     */
    public void armLimit(SrqState srq, int limit) {
        srq.limit = limit;
        sharedReceives.checkLimit(srq);
    }

    /** A datagram QP hears a multicast group from now on. */
    public void attach(QpState qp, long gidHigh, long gidLow) {
        groups.attach(qp, gidHigh, gidLow);
    }

    /** No longer; whether it did. */
    public boolean detach(QpState qp, long gidHigh, long gidLow) {
        return groups.detach(qp, gidHigh, gidLow);
    }

    /** The port's QP 0 or QP 1, whatever its number; null when the driver has none. */
    public @Nullable QpState special(Service service) {
        return service == Service.SMI ? smi : gsi;
    }

    /** Datagrams that came with a wrong Q_Key, since the last reset. */
    public int badQkeys() {
        return datagrams.badQkeys;
    }

    /**
     * Takes a QP, in RESET.
     *
     * @throws IllegalArgumentException when the number is taken or has more than 24 bits
     */
    public void add(QpState qp) {
        qp.attach(memory);
        qps.put(qp.qpn, qp);
        if (qp.service == Service.SMI) {
            smi = qp;
        } else if (qp.service == Service.GSI) {
            gsi = qp;
        }
    }

    /** Drops a QP in whatever state, without completions. */
    public void remove(QpState qp) {
        modify(qp, State.RESET);
        qps.remove(qp.qpn);
        groups.remove(qp);
        smi = smi == qp ? null : smi;
        gsi = gsi == qp ? null : gsi;
    }

    /** The QP with a number, or null. */
    public @Nullable QpState qp(int qpn) {
        return qps.get(qpn);
    }

    /**
     * Moves a QP to a state, after its attributes were set. Which transitions are legal is the
     * command side's business. To ERR: what was posted is flushed in the duty cycles that follow.
     * To RESET: what was posted is dropped, and both counters are 0.
     */
    public void modify(QpState qp, State next) {
        State last = qp.state;
        qp.state = next;
        if (last == State.ERR && next != State.ERR) {
            failed.remove(qp);
        }
        qp.peerGeneration = 0; // The address may be new.
        switch (next) {
            case RESET -> {
                sleepers.remove(qp);
                disconnect(qp);
                qp.resetQueues();
            }
            case INIT -> {}
            case RTR -> {
                qp.sequenceNakSent = false;
                qp.established = last == State.RTS || last == State.SQD;
                connectFar(qp);
            }
            case RTS -> {
                reloadRetries(qp);
                startFar(qp, last);
                schedule(qp); // Whatever was posted before RTS is sent now.
            }
            case SQE -> schedule(qp);
            case SQD -> {
                if (qp.far != null) {
                    qp.far.transport().toSqd();
                }
                schedule(qp);
            }
            case ERR -> enterError(qp);
        }
    }

    // ---- peers beyond the uplink

    private void connectFar(QpState qp) {
        SendQueue sq = qp.send;
        Uplink out = uplink;
        if (out == null
                || sq == null
                || qp.far != null
                || qp.forceLoopback
                || qp.service != Service.RC && qp.service != Service.UC
                || wire.find(this, qp.remoteGidHigh, qp.remoteGidLow) != null) {
            return;
        }
        qp.far = out.connect(this, qp, sq);
    }

    private void startFar(QpState qp, State last) {
        FarQp far = qp.far;
        if (far == null || uplink == null) {
            return;
        }
        if (last == State.RTR) {
            uplink.start(qp, far, clock.getAsLong());
        } else if (last == State.SQD || last == State.SQE) {
            far.transport().resume();
        }
    }

    private void disconnect(QpState qp) {
        FarQp far = qp.far;
        if (far != null && uplink != null) {
            qp.far = null;
            uplink.disconnect(far);
        }
    }

    /** The transport of the uplink moved a QP by itself. */
    void farChanged(QpState qp, State now) {
        qp.state = now;
        if (now == State.ERR && !failed.contains(qp)) {
            failed.add(qp);
        }
    }

    /** Runs when the transport of the uplink is not at work. */
    void later(Runnable task) {
        later.add(task);
    }

    private int pollUplink() {
        Uplink out = uplink;
        if (out == null) {
            return 0;
        }
        now = clock.getAsLong();
        int done = out.poll(now);
        for (Runnable task = later.poll(); task != null; task = later.poll()) {
            task.run();
        }
        return done;
    }

    /** A doorbell of the QP's send queue came. The doorbell record tells how far it goes. */
    public void doorbell(QpState qp) {
        switch (qp.state) {
            case RTS, SQD, SQE, ERR -> schedule(qp);
            case RESET, INIT, RTR ->
                    findings.report(
                            "%s: send doorbell in %s; nothing is sent before RTS"
                                    .formatted(qp, qp.state));
        }
    }

    /**
     * Receives may have been posted. A hint only, as receive queues have no doorbell: the record is
     * read when a message comes.
     */
    public void receivePosted(QpState qp) {
        if (qp.state == State.ERR) {
            schedule(qp);
        }
    }

    /**
     * A doorbell of a CQ came: takes the arm request from the doorbell record. An event is raised
     * at once when the consumer has not seen everything, else with the next CQE that satisfies it.
     * A request with the sequence number of the one that was satisfied last is an old one.
     */
    public void arm(CqState cq) {
        completions.arm(cq);
    }

    /**
     * As {@link #arm(CqState)} for a doorbell whose value is known: sequence number, command and
     * consumer index must be what the record says.
     *
     * @param request high word of the doorbell, in CPU order
     */
    public void arm(CqState cq, int request) {
        completions.arm(cq, request);
    }

    /**
     * One duty cycle: a bounded amount of work for each QP that has some.
     *
     * @return how much was done; 0 when there was nothing
     */
    public int poll() {
        int done = pollUplink();
        if (work.isEmpty() && sleepers.isEmpty() && failed.isEmpty()) {
            return done;
        }
        now = clock.getAsLong();
        for (QpState qp = sleepers.wake(now); qp != null; qp = sleepers.wake(now)) {
            schedule(qp);
            done++;
        }
        if (!failed.isEmpty() && now >= nextErrorScan) {
            nextErrorScan = now + ERROR_SCAN_NANOS;
            for (int i = 0; i < failed.size(); i++) {
                schedule(failed.get(i));
            }
        }
        for (int n = work.size(); n > 0; n--) {
            QpState qp = work.take();
            if (qp == null) {
                break;
            }
            qp.scheduled = false;
            done += run(qp);
        }
        return done;
    }

    /**
     * Nanoseconds until {@link #poll} has to be called although no doorbell came; {@link
     * Agent#NO_PARK_LIMIT} when only a doorbell can bring work.
     */
    public long maxParkNanos() {
        if (!work.isEmpty()) {
            return 0;
        }
        long limit = failed.isEmpty() ? Agent.NO_PARK_LIMIT : Agent.SHARED_MEMORY_PARK_NANOS;
        if (uplink != null) {
            limit = uplink.isBusy() ? 0 : UPLINK_PARK_NANOS;
        }
        long wakeAt = sleepers.next();
        return wakeAt == SendQueue.FOREVER
                ? limit
                : Math.min(limit, Math.max(0, wakeAt - clock.getAsLong()));
    }

    /** Function reset: forgets everything, without another DMA or event, and leaves the wire. */
    public void reset() {
        qps.forEach(
                qp -> {
                    qp.state = State.RESET;
                    disconnect(qp);
                    qp.resetQueues();
                });
        work.clear();
        sleepers.clear();
        failed.clear();
        mkeys.clear();
        qps.clear();
        srqs.clear();
        groups.clear();
        smi = null;
        gsi = null;
        cqs.clear();
        wire.remove(this);
    }

    /** The QP has work in the next duty cycle. */
    void schedule(QpState qp) {
        if (!qp.scheduled) {
            qp.scheduled = true;
            work.add(qp);
        }
    }

    /** Sends nothing for the QP until a point in time. */
    void sleep(QpState qp, SendQueue sq, long nanos) {
        sleepers.add(qp, sq, nanos == SendQueue.FOREVER ? nanos : now + nanos);
    }

    /** An error ends the QP: tells the event, if there is one, and flushes what was posted. */
    void fail(QpState qp, int event) {
        if (qp.state != State.ERR && qp.state != State.RESET) {
            modify(qp, State.ERR);
            if (event != NO_EVENT) {
                events.qpEvent(qp, event);
            }
        }
    }

    /** A send WQE failed: ends the QP, or only its send queue when nobody else is hurt by that. */
    void failSend(QpState qp) {
        if (qp.service.isReliable() || qp.state != State.RTS) {
            fail(qp, NO_EVENT);
        } else {
            modify(qp, State.SQE); // IBTA 10.3.1.5: unreliable services.
        }
    }

    /** For {@link #fail}: a completion tells of the error already. */
    static final int NO_EVENT = 0;

    void reloadRetries(QpState qp) {
        SendQueue sq = qp.send;
        if (sq != null) {
            sq.retriesLeft = qp.retryCount;
            sq.rnrRetriesLeft = qp.rnrRetry;
        }
    }

    /** Reads how far the send queue is posted; a record that cannot be true changes nothing. */
    void readSendProducer(QpState qp, SendQueue sq) {
        HostRecord record = qp.record;
        if (record == null) {
            return;
        }
        int word = record.word(1);
        int posted = word - sq.head & 0xffff;
        boolean impossible = word >>> 16 != 0 || posted > sq.size();
        if (impossible && !sq.recordDoubted) {
            findings.report(
                    "%s: send doorbell record 0x%08x, but block 0x%x is next and 0x%x fit"
                            .formatted(qp, word, sq.head, sq.size()));
        }
        sq.recordDoubted = impossible;
        if (!impossible) {
            sq.producer = word;
        }
    }

    private int run(QpState qp) {
        if (qp.far != null) {
            qp.far.transport().kick(); // Its work is done, and counted, with the uplink's.
            return 0;
        }
        try {
            return switch (qp.state) {
                case RTS, SQD -> requester.run(qp);
                case SQE, ERR -> flusher.run(qp);
                case RESET, INIT, RTR -> 0;
            };
        } catch (DmaFault e) {
            // Rings and records only: faults of data end in the completion of their WQE.
            findings.report("%s: %s; the QP fails".formatted(qp, e.getMessage()));
            fail(qp, EventType.WQ_CATAS_ERROR);
            failed.remove(qp); // Its rings cannot be read, so there is nothing to look for.
            return 1;
        }
    }

    private void enterError(QpState qp) {
        sleepers.remove(qp);
        if (qp.far != null) {
            qp.far.transport().toError();
        } else if (qp.srq != null && !failed.contains(qp)) {
            events.qpEvent(qp, EventType.SRQ_LAST_WQE);
        }
        if (!failed.contains(qp)) {
            failed.add(qp);
        }
        schedule(qp);
    }
}
