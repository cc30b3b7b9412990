package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.util.List;
import org.ringside.emulator.transport.QpState.State;

/** Two connected QPs, each with two completion queues, on one function or two. */
final class Rig implements AutoCloseable {
    /** How the two QPs reach each other, and their memory. */
    enum Topology {
        /** One function, forced loopback. */
        LOOPBACK,
        /** One function, found by its own GID. */
        OWN_GID,
        /** Two functions on a wire. */
        TWO_FUNCTIONS,
        /** Two functions whose memory is not mapped in the device. */
        UNMAPPED_MEMORY
    }

    static final int LOG_RQ = 4;
    static final int LOG_SQ = 5;

    private final Arena arena = Arena.ofConfined();
    private final Wire wire = new Wire();
    long nanos = 1_000_000;
    final Node a;
    final Node b;
    final TestQp left;
    final TestQp right;
    private final List<Node> nodes;

    Rig(Topology topology) {
        this(topology, 6);
    }

    Rig(Topology topology, int logCq) {
        a = new Node(arena, wire, () -> nanos);
        boolean two = topology == Topology.TWO_FUNCTIONS || topology == Topology.UNMAPPED_MEMORY;
        b = two ? new Node(arena, wire, () -> nanos) : a;
        nodes = two ? List.of(a, b) : List.of(a);
        wire.setGid(a.engine, 0, 0xfe80L << 48, 1);
        if (two) {
            wire.setGid(b.engine, 0, 0xfe80L << 48, 2);
        }
        a.memory.direct = topology != Topology.UNMAPPED_MEMORY;
        b.memory.direct = topology != Topology.UNMAPPED_MEMORY;
        left = new TestQp(a, a.cq(logCq), a.cq(logCq), LOG_RQ, LOG_SQ);
        right = new TestQp(b, b.cq(logCq), b.cq(logCq), LOG_RQ, LOG_SQ);
        connect(topology == Topology.LOOPBACK);
    }

    private void connect(boolean force) {
        attributes(left.state, right.state, 0xff_fff0, 0x123456, force, b == a ? 1 : 2);
        attributes(right.state, left.state, 0x123456, 0xff_fff0, force, 1);
        left.to(State.INIT).to(State.RTR);
        right.to(State.INIT).to(State.RTR);
        left.to(State.RTS);
        right.to(State.RTS);
    }

    private static void attributes(
            QpState qp, QpState peer, int sendPsn, int receivePsn, boolean force, long gid) {
        qp.remoteQpn = peer.qpn;
        qp.nextSendPsn = sendPsn;
        qp.nextReceivePsn = receivePsn;
        qp.forceLoopback = force;
        qp.remoteGidHigh = 0xfe80L << 48;
        qp.remoteGidLow = gid;
    }

    Wire wire() {
        return wire;
    }

    /** Duty cycles until no engine has anything to do. */
    int run() {
        int cycles = 0;
        int done;
        do {
            done = 0;
            for (Node node : nodes) {
                done += node.engine.poll();
            }
            cycles++;
            if (cycles > 100_000) {
                throw new AssertionError("the engine does not come to rest");
            }
        } while (done > 0);
        return cycles;
    }

    /** Lets time pass, then runs. */
    void after(long nanoseconds) {
        nanos += nanoseconds;
        run();
    }

    @Override
    public void close() {
        arena.close();
    }
}
