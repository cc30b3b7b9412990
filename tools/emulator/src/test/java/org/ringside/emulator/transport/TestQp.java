package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.mlx5.layout.WqeLayout;

/**
 * A QP as software handles it: builds WQEs in the rings, block by block. A WQE that is started is
 * posted by {@link #post}; {@link #ring} tells the device.
 */
final class TestQp {
    static final int RQ_STRIDE = 64;

    final Node node;
    final TestCq sendCq;
    final TestCq receiveCq;
    final MemorySegment rings;
    final MemorySegment record;
    final QpState state;
    private final int logRq;
    private final int logSq;
    private final long sqStart;
    private int sq;
    private int rq;
    private int segments;

    TestQp(Node node, TestCq sendCq, TestCq receiveCq, int logRq, int logSq) {
        this(node, sendCq, receiveCq, logRq, logSq, Node.PD);
    }

    TestQp(Node node, TestCq sendCq, TestCq receiveCq, int logRq, int logSq, int pd) {
        this(Service.RC, node, sendCq, receiveCq, logRq, logSq, pd, 0xff_ffff);
    }

    TestQp(Service service, Node node, TestCq sendCq, TestCq receiveCq, int userIndex) {
        this(service, node, sendCq, receiveCq, 4, 5, Node.PD, userIndex);
    }

    private TestQp(
            Service service,
            Node node,
            TestCq sendCq,
            TestCq receiveCq,
            int logRq,
            int logSq,
            int pd,
            int userIndex) {
        this.node = node;
        this.sendCq = sendCq;
        this.receiveCq = receiveCq;
        this.logRq = logRq;
        this.logSq = logSq;
        this.sqStart = (long) RQ_STRIDE << logRq;
        long bytes = sqStart + (64L << logSq);
        this.rings = node.arena.allocate(bytes + 0xfff & -0x1000L, 0x1000);
        this.record = node.arena.allocate(0x1000, 0x1000);
        this.state =
                new QpState(
                        service,
                        node.number(),
                        pd,
                        userIndex,
                        1,
                        sendCq.state,
                        receiveCq.state,
                        new WorkQueues(
                                Node.pages(node.map(rings, false), bytes),
                                logRq,
                                RQ_STRIDE,
                                logSq,
                                node.map(record, false)));
        node.engine.add(state);
        state.remoteRead = true;
        state.remoteWrite = true;
        state.remoteAtomic = true;
        state.maxIncomingReads = 4;
        state.maxOutgoingReads = 4;
        state.retryCount = 3;
        state.rnrRetry = 2;
        state.ackTimeout = 12;
        state.minRnrTimer = 12;
    }

    /** Takes the QP to a state. */
    TestQp to(State next) {
        node.engine.modify(state, next);
        return this;
    }

    /** Starts a WQE with completion. */
    TestQp start(int opcode) {
        return start(opcode, WqeLayout.CTRL_CQ_UPDATE);
    }

    TestQp start(int opcode, int flags) {
        segments = 1;
        put(0, WqeLayout.opmodIdxOpcode(0, sq, opcode));
        put(4, state.qpn << 8);
        put(8, flags);
        put(12, 0);
        return this;
    }

    TestQp imm(int value) {
        put(12, value);
        return this;
    }

    TestQp remote(Node.Buffer buffer, long offset) {
        return remote(buffer.iova() + offset, buffer.key());
    }

    TestQp remote(long address, int rkey) {
        int at = 16 * segments++;
        putLong(at, address);
        put(at + 8, rkey);
        put(at + 12, 0);
        return this;
    }

    /** XRC segment. */
    TestQp xrc(int srqn) {
        int at = 16 * segments++;
        put(at, srqn);
        put(at + 4, 0);
        putLong(at + 8, 0);
        return this;
    }

    /** Datagram segment without GRH. */
    TestQp to(int lid, int qpn, int qkey) {
        int at = 16 * segments;
        segments += 3;
        put(at, qkey);
        put(at + 4, 0);
        put(at + 8, WqeLayout.AV_EXTENDED | qpn);
        put(at + 12, lid);
        for (int i = 16; i < WqeLayout.AV_SIZE; i += 8) {
            putLong(at + i, 0);
        }
        return this;
    }

    /** Adds a GRH to the datagram segment that was just made. */
    TestQp grh(int sgidIndex, int flowLabel, int trafficClass, int hops, long high, long low) {
        int at = 16 * (segments - 3);
        put(at + 24, trafficClass << 8 | hops);
        put(at + 28, 1 << 30 | sgidIndex << 20 | flowLabel);
        putLong(at + 32, high);
        putLong(at + 40, low);
        return this;
    }

    TestQp atomic(long swapOrAdd, long compare) {
        int at = 16 * segments++;
        putLong(at, swapOrAdd);
        putLong(at + 8, compare);
        return this;
    }

    TestQp sge(Node.Buffer buffer, long offset, long bytes) {
        return sge(buffer.key(), buffer.iova() + offset, (int) bytes);
    }

    TestQp sge(int lkey, long address, int bytes) {
        int at = 16 * segments++;
        put(at, bytes);
        put(at + 4, lkey);
        putLong(at + 8, address);
        return this;
    }

    TestQp inline(byte[] data) {
        int at = 16 * segments;
        put(at, WqeLayout.INLINE_FLAG | data.length);
        for (int i = 0; i < data.length; i++) {
            rings.set(ValueLayout.JAVA_BYTE, place(at + 4 + i), data[i]);
        }
        segments += (4 + data.length + 15) / 16;
        return this;
    }

    /** Changes a word of the WQE that is being built. */
    TestQp patch(int at, int value) {
        put(at, value);
        return this;
    }

    TestQp segments(int count) {
        segments = count;
        return this;
    }

    /** Ends the WQE and tells the record. */
    TestQp post() {
        int word = BigEndian.getInt(rings, place(4));
        if ((word & 0xff) == 0) {
            put(4, word | segments);
        }
        sq = sq + Math.max(1, (segments + 3) / 4) & 0xffff;
        BigEndian.setRelease(record, DoorbellRecord.SEND, sq);
        return this;
    }

    /** Rings the doorbell. */
    TestQp ring() {
        node.engine.doorbell(state);
        return this;
    }

    int sendIndex() {
        return sq;
    }

    void receive(Node.Buffer buffer, long offset, long bytes) {
        receive(buffer.key(), buffer.iova() + offset, (int) bytes);
    }

    /** Posts a receive of one piece. */
    void receive(int lkey, long address, int bytes) {
        long at = receivePlace();
        BigEndian.putInt(rings, at, bytes);
        BigEndian.putInt(rings, at + 4, lkey);
        BigEndian.putLong(rings, at + 8, address);
        endReceive(at + 16);
    }

    /** Posts a receive of two pieces. */
    void receive(Node.Buffer first, int firstBytes, Node.Buffer second, int secondBytes) {
        long at = receivePlace();
        BigEndian.putInt(rings, at, firstBytes);
        BigEndian.putInt(rings, at + 4, first.key());
        BigEndian.putLong(rings, at + 8, first.iova());
        BigEndian.putInt(rings, at + 16, secondBytes);
        BigEndian.putInt(rings, at + 20, second.key());
        BigEndian.putLong(rings, at + 24, second.iova());
        endReceive(at + 32);
    }

    private long receivePlace() {
        return (long) (rq & (1 << logRq) - 1) * RQ_STRIDE;
    }

    private void endReceive(long at) {
        BigEndian.putInt(rings, at, 0);
        BigEndian.putInt(rings, at + 4, WqeLayout.TERMINATE_LKEY);
        BigEndian.putLong(rings, at + 8, 0);
        rq = rq + 1 & 0xffff;
        BigEndian.setRelease(record, DoorbellRecord.RECEIVE, rq);
        node.engine.receivePosted(state);
    }

    private void put(int at, int value) {
        BigEndian.putInt(rings, place(at), value);
    }

    private void putLong(int at, long value) {
        BigEndian.putLong(rings, place(at), value);
    }

    /** Where a byte of the WQE lies: WQEs wrap at the end of the ring. */
    private long place(int at) {
        long mask = (64L << logSq) - 1;
        return sqStart + ((sq * 64L + at) & mask);
    }
}
