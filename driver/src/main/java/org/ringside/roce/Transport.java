package org.ringside.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Icrc;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Verdict;
import org.ringside.verbs.QpState;

/**
 * The transport of one port: finds the QP of each packet, gives QPs their turns to send, runs their
 * timers. An agent calls {@link #receive} for each frame, then {@link #poll}, for ever.
 */
public final class Transport {
    /** At least this long between two congestion notifications of one QP. */
    static final long CNP_INTERVAL_NANOS = 50_000;

    /** Bytes of the longest message (IBTA 9.7.7). */
    static final long MAX_MESSAGE = 1L << 31;

    private static final int MAX_QPN = 0xff_ffff;
    private static final int MULTICAST_QPN = 0xff_ffff;

    /** Packets of one QP before the next has its turn. */
    private static final int BUDGET = 32;

    /** Reserved bytes of a congestion notification (A17.9.3). */
    private static final int CNP_RESERVED = 16;

    private static final int DEFAULT_PKEY = 0xffff;
    private static final int FULL_MEMBER = 0x8000;

    private final Link link;
    private final Memory memory;
    private final TransportOptions options;
    private final Counters counters = new Counters();
    private final TimerWheel timers;
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private final MulticastGroups groups = new MulticastGroups();
    private final Received received = new Received();
    private final MemorySegment scratch = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final PacketWriter writer = new PacketWriter();
    private @Nullable RoceQp[] qps = new @Nullable RoceQp[64];
    private @Nullable RoceQp firstReady;
    private @Nullable RoceQp lastReady;

    /**
     * @param now nanoseconds, on the clock of all later calls
     */
    public Transport(Link link, Memory memory, TransportOptions options, long now) {
        this.link = link;
        this.memory = memory;
        this.options = options;
        this.timers = new TimerWheel(now);
    }

    public Counters counters() {
        return counters;
    }

    TransportOptions options() {
        return options;
    }

    Link link() {
        return link;
    }

    Memory memory() {
        return memory;
    }

    TimerWheel timers() {
        return timers;
    }

    /** For the completion under way; one is enough for all QPs. */
    Received received() {
        return received;
    }

    void count(Counter counter) {
        counters.add(counter);
    }

    /** A value as it lies in memory, valid until the next call. */
    MemorySegment hostOrder(long value) {
        scratch.set(ValueLayout.JAVA_LONG, 0, value);
        return scratch;
    }

    // ---- QPs

    /**
     * Makes a QP in RESET.
     *
     * @throws IllegalArgumentException when the number is taken or has more than 24 bits
     */
    public RoceQp create(
            QpOptions qpOptions, QpOwner owner, SendSource sends, ReceiveSource receives) {
        int number = qpOptions.number();
        if (number < 0 || number >= MAX_QPN) {
            throw new IllegalArgumentException("QPN 0x%x is out of range".formatted(number));
        }
        if (number >= qps.length) {
            qps = Arrays.copyOf(qps, Integer.highestOneBit(number) * 2);
        }
        if (qps[number] != null) {
            throw new IllegalArgumentException("QPN 0x%x is taken".formatted(number));
        }
        RoceQp qp = new RoceQp(this, qpOptions, owner, sends, receives);
        qps[number] = qp;
        return qp;
    }

    /** Forgets a QP; packets for it are dropped from now on. */
    public void destroy(RoceQp qp) {
        qp.toReset();
        groups.forget(qp);
        if (find(qp.number()) == qp) {
            qps[qp.number()] = null;
        }
    }

    /** Datagrams to this group are for the QP too. */
    public void attach(RoceQp qp, long groupHigh, long groupLow) {
        groups.attach(qp, groupHigh, groupLow);
    }

    /** Undoes {@link #attach}. */
    public void detach(RoceQp qp, long groupHigh, long groupLow) {
        groups.detach(qp, groupHigh, groupLow);
    }

    private @Nullable RoceQp find(int number) {
        return number < qps.length ? qps[number] : null;
    }

    /** Puts a QP behind all others that wait for their turn. */
    void ready(RoceQp qp) {
        if (qp.ready) {
            return;
        }
        qp.ready = true;
        qp.nextReady = null;
        if (lastReady == null) {
            firstReady = qp;
        } else {
            lastReady.nextReady = qp;
        }
        lastReady = qp;
    }

    // ---- out

    /**
     * Runs timers that are due and gives each QP that has something to send its turn.
     *
     * @return packets sent and timers run; 0 when there is nothing to do before time passes, frames
     *     come, or the link has room again
     */
    public int poll(long now) {
        int work = timers.advance(now);
        long sentBefore = counters.get(Counter.SENT_PACKETS);
        RoceQp end = lastReady;
        RoceQp qp;
        while ((qp = firstReady) != null) {
            firstReady = qp.nextReady;
            if (firstReady == null) {
                lastReady = null;
            }
            qp.nextReady = null;
            qp.ready = false;
            if (qp.transmit(BUDGET, now)) {
                ready(qp);
            }
            if (qp == end) {
                break;
            }
        }
        return work + (int) (counters.get(Counter.SENT_PACKETS) - sentBefore);
    }

    /** The writer of all QPs' packets. */
    PacketWriter writer() {
        return writer;
    }

    void transmit(Frame frame) {
        count(Counter.SENT_PACKETS);
        link.transmit(frame);
    }

    // ---- in

    /**
     * Takes a frame from the wire; it is the caller's again afterwards.
     *
     * @return false when it is not RoCEv2, so that others may look at it
     */
    public boolean receive(Frame frame, long now) {
        Verdict verdict = packet.parse(frame);
        if (verdict == Verdict.NOT_ROCE) {
            return false;
        }
        count(Counter.RECEIVED_PACKETS);
        if (verdict != Verdict.ROCE) {
            count(Counter.MALFORMED);
        } else if (options.checkIcrc() && !icrc.matches(packet)) {
            count(Counter.BAD_ICRC);
        } else if (packet.destinationQp() == MULTICAST_QPN) {
            groups.deliver(this, packet, now);
        } else {
            deliver(find(packet.destinationQp()), now);
        }
        return true;
    }

    private void deliver(@Nullable RoceQp qp, long now) {
        if (qp == null) {
            count(Counter.NO_SUCH_QP);
            return;
        }
        switch (packet.opcode().service()) {
            case CNP -> {
                if (qp.isConnectedService() && isFromPeer(qp)) {
                    count(Counter.RECEIVED_CNP);
                    qp.congestion().notified(now);
                }
            }
            case RC, UC -> {
                if (packet.opcode().service() == qp.service() && isFromPeer(qp)) {
                    accept(qp, now);
                } else if (packet.opcode().service() != qp.service()) {
                    count(Counter.WRONG_SERVICE);
                }
            }
            case UD -> {
                if (qp.service() == Service.UD) {
                    accept(qp, now);
                } else {
                    count(Counter.WRONG_SERVICE);
                }
            }
        }
    }

    void accept(RoceQp qp, long now) {
        if (!isOfPartition(packet.pkey())) {
            count(Counter.BAD_PKEY);
            return;
        }
        if (packet.isCongestionMarked()) {
            count(Counter.CONGESTION_MARKED);
            notifySender(qp, now);
        }
        qp.receive(packet, now);
    }

    /** The same partition by its low 15 bits, and one side at least a full member (10.9.1.1). */
    private static boolean isOfPartition(int pkey) {
        return (pkey | FULL_MEMBER) == DEFAULT_PKEY;
    }

    /** RC and UC: only the connected peer is listened to (A17.4.5). */
    private boolean isFromPeer(RoceQp qp) {
        if (qp.state().compareTo(QpState.RTR) < 0 || qp.state() == QpState.ERR) {
            count(Counter.WRONG_STATE);
            return false;
        }
        Flow flow = qp.connection().flow();
        boolean right =
                packet.sourceLow() == flow.destination().low()
                        && packet.sourceHigh() == flow.destination().high()
                        && packet.destinationLow() == flow.source().low()
                        && packet.destinationHigh() == flow.source().high();
        if (!right) {
            count(Counter.BAD_SOURCE_OR_DESTINATION);
        }
        return right;
    }

    private void notifySender(RoceQp qp, long now) {
        if (!options.sendNotifications() || !qp.isConnectedService() || !qp.mayNotify(now)) {
            return;
        }
        Frame frame = link.acquire();
        if (frame == null) {
            return;
        }
        Connection connection = qp.connection();
        PacketWriter out = writer;
        out.begin(frame, connection.flow(), Opcodes.CNP, connection.peerQp(), 0, false, false);
        out.backwardCongestion();
        frame.bytes().putLong(out.payload(), 0).putLong(out.payload() + Long.BYTES, 0);
        out.seal(CNP_RESERVED);
        count(Counter.SENT_CNP);
        transmit(frame);
    }
}
