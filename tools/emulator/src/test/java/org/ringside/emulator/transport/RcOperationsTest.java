package org.ringside.emulator.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.mlx5.layout.WqeOpcode;

/** Every operation of an RC QP when nothing is wrong. */
class RcOperationsTest {
    private static final int UNSIGNALLED = 0;

    private static void fill(MemorySegment segment, long offset, long bytes, int seed) {
        for (long i = 0; i < bytes; i++) {
            segment.set(JAVA_BYTE, offset + i, (byte) (seed + i * 7));
        }
    }

    private static void assertSame(
            MemorySegment a, long from, MemorySegment b, long to, long bytes) {
        assertThat(MemorySegment.mismatch(a, from, from + bytes, b, to, to + bytes)).isEqualTo(-1);
    }

    @ParameterizedTest
    @EnumSource
    void shouldScatterSendOverReceivePieces(Topology topology) {
        try (Rig rig = new Rig(topology)) {
            Node.Buffer one = rig.a.buffer(0x3000);
            Node.Buffer two = rig.a.buffer(0x3000);
            Node.Buffer first = rig.b.buffer(0x3000);
            Node.Buffer second = rig.b.buffer(0x3000);
            fill(one.segment(), 0, 0x3000, 1);
            fill(two.segment(), 0, 0x3000, 100);
            rig.right.receive(first, 1500, second, 5000);
            rig.left
                    .start(WqeOpcode.SEND)
                    .sge(one, 0x123, 1000)
                    .sge(two, 7, 3000)
                    .sge(one, 0x2000, 1)
                    .post()
                    .ring();
            rig.run();

            assertSame(one.segment(), 0x123, first.segment(), 0, 1000);
            assertSame(two.segment(), 7, first.segment(), 1000, 500);
            assertSame(two.segment(), 507, second.segment(), 0, 2500);
            assertSame(one.segment(), 0x2000, second.segment(), 2500, 1);
            assertThat(second.segment().get(JAVA_BYTE, 2501)).isZero();
            assertThat(rig.left.sendCq.next())
                    .isEqualTo(
                            new TestCq.Cqe(
                                    CqeOpcode.REQ,
                                    rig.left.state.qpn,
                                    WqeOpcode.SEND,
                                    0,
                                    4001,
                                    0,
                                    0));
            assertThat(rig.right.receiveCq.next())
                    .isEqualTo(
                            new TestCq.Cqe(
                                    CqeOpcode.RESP_SEND, rig.right.state.qpn, 0, 0, 4001, 0, 0));
            assertThat(rig.a.findings).isEmpty();
            assertThat(rig.b.findings).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldCarryImmediate(Topology topology) {
        try (Rig rig = new Rig(topology)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            fill(from.segment(), 0, 64, 3);
            rig.right.receive(to, 0, 64);
            rig.right.receive(to, 0, 64);
            rig.left.start(WqeOpcode.SEND_IMM).imm(0xdead_beef).sge(from, 0, 10).post();
            rig.left
                    .start(WqeOpcode.RDMA_WRITE_IMM)
                    .imm(0x0102_0304)
                    .remote(to, 20)
                    .sge(from, 20, 30)
                    .post()
                    .ring();
            rig.run();

            assertThat(rig.right.receiveCq.next())
                    .isEqualTo(
                            new TestCq.Cqe(
                                    CqeOpcode.RESP_SEND_IMM,
                                    rig.right.state.qpn,
                                    0,
                                    0,
                                    10,
                                    0xdead_beef,
                                    0));
            assertThat(rig.right.receiveCq.next())
                    .isEqualTo(
                            new TestCq.Cqe(
                                    CqeOpcode.RESP_WR_IMM,
                                    rig.right.state.qpn,
                                    0,
                                    1,
                                    30,
                                    0x0102_0304,
                                    0));
            assertSame(from.segment(), 0, to.segment(), 0, 10);
            assertSame(from.segment(), 20, to.segment(), 20, 30);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 SEND_IMM", "1 RDMA_WRITE_IMM");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteAndReadLargeMessagesOverSeveralDutyCycles(Topology topology) {
        int bytes = (5 << 20) + 12345;
        try (Rig rig = new Rig(topology)) {
            Node.Buffer from = rig.a.buffer(bytes);
            Node.Buffer to = rig.b.buffer(bytes + 100);
            Node.Buffer back = rig.a.buffer(bytes);
            fill(from.segment(), 0, bytes, 9);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(to, 33).sge(from, 0, bytes).post().ring();
            int cycles = rig.run();
            assertSame(from.segment(), 0, to.segment(), 33, bytes);
            assertThat(cycles).as("one QP must not hold the thread").isGreaterThan(9);

            rig.left
                    .start(WqeOpcode.RDMA_READ)
                    .remote(to, 33)
                    .sge(back, 0, 1)
                    .sge(back, 1, bytes - 1)
                    .post()
                    .ring();
            rig.run();
            assertSame(from.segment(), 0, back.segment(), 0, bytes);
            assertThat(rig.left.sendCq.next())
                    .extracting(TestCq.Cqe::sendOpcode, TestCq.Cqe::bytes)
                    .containsExactly(WqeOpcode.RDMA_WRITE, bytes);
            assertThat(rig.left.sendCq.next())
                    .extracting(TestCq.Cqe::sendOpcode, TestCq.Cqe::bytes)
                    .containsExactly(WqeOpcode.RDMA_READ, bytes);
            int packets = (bytes + 1023) / 1024;
            assertThat(rig.left.state.nextSendPsn).isEqualTo(0xff_fff0 + 2 * packets & 0xff_ffff);
            assertThat(rig.right.state.nextReceivePsn).isEqualTo(rig.left.state.nextSendPsn);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDoAtomics(Topology topology) {
        try (Rig rig = new Rig(topology)) {
            Node.Buffer result = rig.a.buffer(64);
            Node.Buffer word = rig.b.buffer(64);
            word.segment().set(JAVA_LONG, 8, 40);
            rig.left
                    .start(WqeOpcode.ATOMIC_FA)
                    .remote(word, 8)
                    .atomic(2, 0)
                    .sge(result, 0, 8)
                    .post();
            rig.left
                    .start(WqeOpcode.ATOMIC_CS)
                    .remote(word, 8)
                    .atomic(-7, 42)
                    .sge(result, 8, 8)
                    .post();
            rig.left
                    .start(WqeOpcode.ATOMIC_CS)
                    .remote(word, 8)
                    .atomic(1, 42)
                    .sge(result, 16, 3)
                    .sge(result, 19, 5)
                    .post()
                    .ring();
            rig.run();
            assertThat(result.segment().get(JAVA_LONG, 0)).isEqualTo(40);
            assertThat(result.segment().get(JAVA_LONG, 8)).isEqualTo(42);
            assertThat(result.segment().get(JAVA_LONG, 16)).isEqualTo(-7);
            assertThat(word.segment().get(JAVA_LONG, 8)).isEqualTo(-7);
            assertThat(rig.left.sendCq.drain())
                    .containsExactly("0 ATOMIC_FA", "1 ATOMIC_CS", "2 ATOMIC_CS");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldSendInlineDataOverTheEndOfTheRing(Topology topology) {
        byte[] data = new byte[300];
        IntStream.range(0, data.length).forEach(i -> data[i] = (byte) (i * 5));
        try (Rig rig = new Rig(topology)) {
            Node.Buffer to = rig.b.buffer(512);
            int blocks = 0;
            for (int i = 0; i < 20; i++) {
                to.segment().fill((byte) 0);
                rig.left.start(WqeOpcode.RDMA_WRITE).remote(to, 1).inline(data).post().ring();
                rig.run();
                assertSame(MemorySegment.ofArray(data), 0, to.segment(), 1, data.length);
                assertThat(rig.left.sendCq.drain()).containsExactly(blocks + " RDMA_WRITE");
                blocks += 6; // 32 + 4 + 300 bytes; 32 blocks in the ring, so one wraps inside.
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldIgnoreKeyAndAddressOfEmptyMessages(Topology topology) {
        try (Rig rig = new Rig(topology)) {
            rig.right.receive(0x100, 0, 0);
            rig.right.receive(0x100, 0, 0);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(-1, 0xdead_beef).post();
            rig.left.start(WqeOpcode.RDMA_READ).remote(3, 0).post();
            rig.left.start(WqeOpcode.SEND).post();
            rig.left.start(WqeOpcode.RDMA_WRITE_IMM).imm(5).remote(-1, 0xdead_beef).post().ring();
            rig.run();
            assertThat(rig.left.sendCq.drain())
                    .containsExactly("0 RDMA_WRITE", "1 RDMA_READ", "2 SEND", "3 RDMA_WRITE_IMM");
            assertThat(rig.right.receiveCq.drain()).containsExactly("0 RESP_SEND", "1 RESP_WR_IMM");
        }
    }

    @Test
    void shouldCompleteOnlyWhatAsksForIt() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            for (int i = 0; i < 100; i++) {
                int flags = i % 10 == 9 ? WqeLayout.CTRL_CQ_UPDATE : UNSIGNALLED;
                rig.left.start(WqeOpcode.RDMA_WRITE, flags).remote(to, 0).sge(from, 0, 8).post();
                if (i % 20 == 19) {
                    rig.left.ring();
                    rig.run();
                }
            }
            assertThat(rig.left.sendCq.drain())
                    .containsExactly(
                            IntStream.range(0, 10)
                                    .mapToObj(i -> i * 10 + 9 + " RDMA_WRITE")
                                    .toArray(String[]::new));
        }
    }

    @Test
    void shouldRunRingsAroundTheirCounters() {
        int messages = 70_000; // Past 2^16 in both queues, and many laps of the CQs.
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            for (int i = 0; i < messages; i++) {
                from.segment().set(JAVA_LONG, 0, i);
                rig.right.receive(to, 0, 8);
                rig.left.start(WqeOpcode.SEND).sge(from, 0, 8).post().ring();
                rig.run();
                TestCq.Cqe sent = rig.left.sendCq.next();
                TestCq.Cqe received = rig.right.receiveCq.next();
                if (sent == null
                        || received == null
                        || sent.counter() != (i & 0xffff)
                        || received.counter() != (i & 0xffff)
                        || to.segment().get(JAVA_LONG, 0) != i) {
                    throw new AssertionError(i + ": " + sent + ", " + received);
                }
            }
            assertThat(rig.a.findings).isEmpty();
            assertThat(rig.b.findings).isEmpty();
        }
    }

    @Test
    void shouldLetNopPass() {
        try (Rig rig = new Rig(Topology.LOOPBACK)) {
            rig.left.start(WqeOpcode.NOP).segments(9).post();
            rig.left.start(WqeOpcode.NOP, UNSIGNALLED).post();
            rig.left.start(WqeOpcode.NOP).post().ring();
            rig.run();
            assertThat(rig.left.sendCq.drain()).containsExactly("0 NOP", "4 NOP");
        }
    }

    @Test
    void shouldWriteTheSecondHalfOfLongCqes() {
        try (Rig rig = new Rig(Topology.LOOPBACK)) {
            TestCq cq = new TestCq(rig.a, 2, 128, false);
            TestQp qp = new TestQp(rig.a, cq, cq, 2, 2);
            qp.state.forceLoopback = true;
            qp.state.remoteQpn = qp.state.qpn;
            qp.to(QpState.State.INIT).to(QpState.State.RTR).to(QpState.State.RTS);
            Node.Buffer buffer = rig.a.buffer(64);
            for (int i = 0; i < 9; i++) {
                qp.receive(buffer, 32, 32);
                qp.start(WqeOpcode.SEND).sge(buffer, 0, 4).post().ring();
                rig.run();
                assertThat(cq.drain()).containsExactly(i + " RESP_SEND", i + " SEND");
            }
        }
    }

    @Test
    void shouldTellOfTheFirstMessageInRtr() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.right.to(QpState.State.RESET);
            rig.right.state.nextReceivePsn = rig.left.state.nextSendPsn;
            rig.right.to(QpState.State.INIT).to(QpState.State.RTR);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post();
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
            rig.run();
            assertThat(rig.b.events).containsExactly("COMM_EST of " + rig.right.state);
            assertThat(rig.left.sendCq.drain()).hasSize(2);
        }
    }

    @Test
    void shouldSendWhatWasPostedBeforeRts() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            int psn = rig.left.state.nextSendPsn;
            TestQp fresh = new TestQp(rig.a, rig.left.sendCq, rig.left.receiveCq, 2, 2);
            rig.right.state.remoteQpn = fresh.state.qpn;
            fresh.state.remoteQpn = rig.right.state.qpn;
            fresh.state.remoteGidHigh = rig.left.state.remoteGidHigh;
            fresh.state.remoteGidLow = rig.left.state.remoteGidLow;
            fresh.state.nextSendPsn = psn;
            fresh.to(QpState.State.INIT).to(QpState.State.RTR);
            fresh.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
            rig.run();
            assertThat(rig.left.sendCq.drain()).isEmpty();
            assertThat(rig.a.findings).singleElement().asString().contains("doorbell in RTR");
            fresh.to(QpState.State.RTS);
            rig.run();
            assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_WRITE");
        }
    }
}
