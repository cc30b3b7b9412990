package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Service;
import org.ringside.roce.wire.MemoryWire;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/** The transport makes no objects: not per packet, not per message, not for a retry. */
class RoceAllocationTest {
    private static final int MESSAGES = 20_000;
    private static final Mishaps LOSSY = new Mishaps(0.01, 0.01, 0.02, 0.01, 2000, 20_000);

    private final MemoryWire wire = new MemoryWire(LOSSY, 3, 256);
    private final Side left = new Side(1, MemoryWire.LEFT);
    private final Side right = new Side(2, MemoryWire.RIGHT);
    private long now = 1_000_000;

    /** Queues without objects: writes, reads, atomics and sends in turn, for ever. */
    private final class Side implements SendSource, ReceiveSource, QpOwner {
        final int number;
        final MemoryTable memory = new MemoryTable();
        final MemorySegment buffer = Arena.ofAuto().allocate(1 << 16, 64);
        final int key = memory.register(1, buffer, buffer.address(), Peer.ALL);
        final Transport transport;
        final RoceQp qp;
        int toPost;
        int posted;
        int sent;
        int failed;

        Side(int number, int end) {
            this.number = number;
            transport = new Transport(wire.link(end), memory, TransportOptions.DEFAULT, 0);
            qp = transport.create(QpOptions.of(number, Service.RC, 1), this, this, this);
        }

        void connect(Side peer) {
            Gid us = Gid.parse("10.0.0." + number);
            Gid them = Gid.parse("10.0.0." + peer.number);
            Flow flow = new Flow(number, peer.number, Ethernet.NO_VLAN, us, them, 0, 64, 0, 0xc000);
            qp.toInit();
            qp.toRtr(new Connection(flow, peer.number, 1024, 0, 4, 1, Peer.ALL));
            qp.toRts(new SendAttributes(0, 14, 7, 7, 4), now);
        }

        @Override
        public boolean next(SendRequest into) {
            if (posted == toPost) {
                return false;
            }
            into.clear();
            Side peer = this == left ? right : left;
            int turn = posted++ & 3;
            into.kind =
                    turn == 0
                            ? SendRequest.Kind.SEND
                            : turn == 1
                                    ? SendRequest.Kind.WRITE
                                    : turn == 2
                                            ? SendRequest.Kind.READ
                                            : SendRequest.Kind.FETCH_ADD;
            into.sges().add(key, buffer.address(), turn == 3 ? 8 : 5000);
            into.remoteAddress = peer.buffer.address();
            into.rkey = peer.key;
            return true;
        }

        @Override
        public boolean next(ReceiveRequest into) {
            into.clear();
            into.sges().add(key, buffer.address(), 8192);
            return true;
        }

        @Override
        public boolean isShared() {
            return true;
        }

        @Override
        public void sendDone(RoceQp owner, SendRequest request, WcStatus status) {
            sent++;
            failed += status == WcStatus.SUCCESS ? 0 : 1;
        }

        @Override
        public void receiveDone(
                RoceQp owner, ReceiveRequest request, WcStatus status, Received received) {}

        @Override
        public void stateChanged(RoceQp owner, QpState state) {}

        @Override
        public void event(RoceQp owner, Event event) {}
    }

    @Test
    void shouldAllocateNothingInSteadyState() {
        left.connect(right);
        right.connect(left);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        run(MESSAGES);
        run(MESSAGES);
        long idle = threads.getCurrentThreadAllocatedBytes();
        idle = threads.getCurrentThreadAllocatedBytes() - idle;
        long before = threads.getCurrentThreadAllocatedBytes();
        run(MESSAGES);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before - idle;
        assertThat(left.failed).isZero();
        assertThat(left.transport.counters().get(Counter.RETRANSMITTED_PACKETS)).isPositive();
        assertThat(allocated / MESSAGES)
                .as("%d bytes in %d messages", allocated, MESSAGES)
                .isZero();
    }

    private void run(int messages) {
        left.toPost += messages;
        left.qp.kick();
        while (left.sent < left.toPost) {
            int work = left.transport.poll(now) + right.transport.poll(now);
            for (Frame frame; (frame = wire.arrived()) != null; work++) {
                Side to = wire.arrivedAt() == MemoryWire.LEFT ? left : right;
                to.transport.receive(frame, now);
                wire.done();
            }
            if (work == 0) {
                now = Math.max(now + 1, Math.min(now + 8192, wire.nextArrival()));
                wire.time(now);
            }
        }
    }
}
