package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.emulator.device.Agent;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeOpcode;

/** Waits and repetitions, on a clock of the test. */
class RcRetryTest {
    private static final long TIMEOUT_12 = 4096L << 12;

    /** Lets time pass until the left QP fails, and tells how long that took. */
    private static long nanosToFailure(Rig rig, long step, int limit) {
        long start = rig.nanos;
        for (int i = 0; i < limit && rig.left.state.state() != State.ERR; i++) {
            rig.after(step);
        }
        assertThat(rig.left.state.state()).isEqualTo(State.ERR);
        return rig.nanos - start;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 655360000",
        "1, 10000",
        "12, 640000",
        "25, 61440000",
        "31, 491520000",
    })
    void shouldWaitAsTheReceiverSays(int code, long nanos) {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.right.state.minRnrTimer = code;
            Node.Buffer buffer = rig.b.buffer(64);
            rig.left.start(WqeOpcode.SEND).post().ring();
            rig.run();
            rig.right.receive(buffer, 0, 64);
            rig.after(nanos - 1);
            assertThat(rig.left.sendCq.drain()).as("before its time").isEmpty();
            assertThat(rig.a.engine.maxParkNanos()).isEqualTo(1);
            rig.after(1);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 SEND");
            assertThat(rig.right.receiveCq.drain()).containsExactly("0 RESP_SEND");
            assertThat(rig.a.engine.maxParkNanos()).isEqualTo(Agent.NO_PARK_LIMIT);
        }
    }

    @Test
    void shouldGiveUpAfterTheRnrRetries() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.rnrRetry = 2;
            rig.left.to(State.RTS);
            rig.left.start(WqeOpcode.SEND).post().start(WqeOpcode.SEND).post().ring();
            rig.run();
            assertThat(nanosToFailure(rig, 10_000, 1000)).isEqualTo(2 * 640_000);
            assertThat(rig.left.sendCq.drain())
                    .containsExactly("0 RNR_RETRY_EXC_ERR", "1 WR_FLUSH_ERR");
            assertThat(rig.right.state.state())
                    .as("a receiver without receives is fine")
                    .isEqualTo(State.RTS);
        }
    }

    @Test
    void shouldReloadRnrRetriesWithProgress() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer buffer = rig.b.buffer(64);
            for (int i = 0; i < 5; i++) {
                rig.left.start(WqeOpcode.SEND).post().ring();
                rig.run();
                rig.after(640_000);
                rig.right.receive(buffer, 0, 64);
                rig.after(640_000);
                assertThat(rig.left.sendCq.drain()).containsExactly(i + " SEND");
            }
        }
    }

    @Test
    void shouldWaitForeverWithRnrRetrySeven() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.rnrRetry = 7;
            rig.left.to(State.RTS);
            rig.left.start(WqeOpcode.RDMA_WRITE_IMM).remote(0, 0).post().ring();
            for (int i = 0; i < 1000; i++) {
                rig.after(640_000);
            }
            assertThat(rig.left.state.state()).isEqualTo(State.RTS);
            rig.right.receive(0x100, 0, 0);
            rig.after(640_000);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_WRITE_IMM");
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "3, 4", "7, 8"})
    void shouldGiveUpAfterRetriesWithoutAnswer(int retries, int timeouts) {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.retryCount = retries;
            rig.left.to(State.RTS);
            rig.right.to(State.RESET);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post();
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
            rig.run();
            assertThat(nanosToFailure(rig, TIMEOUT_12, 20)).isEqualTo(timeouts * TIMEOUT_12);
            TestCq.Cqe cqe = rig.left.sendCq.next();
            assertThat(cqe).hasToString("0 TRANSPORT_RETRY_EXC_ERR");
            assertThat(rig.left.sendCq.ring.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 54))
                    .isEqualTo((byte) 0x81);
            assertThat(rig.left.sendCq.drain()).containsExactly("1 WR_FLUSH_ERR");
            assertThat(rig.a.findings).singleElement().asString().contains("is in RESET");
        }
    }

    @Test
    void shouldGoOnWhenThePeerComesInTime() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            int psn = rig.right.state.nextReceivePsn;
            rig.right.to(State.RESET);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
            rig.run();
            rig.after(TIMEOUT_12);
            rig.right.state.nextReceivePsn = psn;
            rig.right.to(State.INIT).to(State.RTR);
            rig.after(TIMEOUT_12);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_WRITE");
        }
    }

    @Test
    void shouldWaitForeverWithTimeoutZero() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.ackTimeout = 0;
            rig.right.to(State.RESET);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
            rig.run();
            rig.after(Long.MAX_VALUE / 2);
            assertThat(rig.left.state.state()).isEqualTo(State.RTS);
            rig.left.to(State.ERR);
            rig.run();
            assertThat(rig.left.sendCq.drain()).containsExactly("0 WR_FLUSH_ERR");
        }
    }

    @Test
    void shouldFindNobodyAtAnUnknownGidOrQpn() {
        for (int i = 0; i < 3; i++) {
            try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
                switch (i) {
                    case 0 -> rig.left.state.remoteGidLow = 99;
                    case 1 -> rig.left.state.remoteQpn = 0x9999;
                    default -> rig.right.state.remoteQpn = 0x9999;
                }
                rig.left.to(State.RTS);
                rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
                rig.run();
                nanosToFailure(rig, TIMEOUT_12, 20);
                assertThat(rig.left.sendCq.drain()).containsExactly("0 TRANSPORT_RETRY_EXC_ERR");
                assertThat(rig.a.findings)
                        .singleElement()
                        .asString()
                        .contains(
                                new String[] {
                                            "no function has GID",
                                            "does not exist",
                                            "connected to QP"
                                        }
                                        [i]);
            }
        }
    }

    @Test
    void shouldFollowAGidThatMovesToAnotherFunction() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.wire().setGid(rig.b.engine, 0, 0, 0);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0, 0).post().ring();
            rig.run();
            assertThat(rig.left.sendCq.drain()).isEmpty();
            rig.wire().setGid(rig.b.engine, 3, 0xfe80L << 48, 2);
            rig.after(TIMEOUT_12);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_WRITE");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "-1, 4"})
    void shouldNeverAgreeOnDifferentPsns(int ahead, int timeouts) {
        // Ahead: one NAK, answered by a repetition at once, and silence after it.
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer to = rig.b.buffer(64);
            Node.Buffer from = rig.a.buffer(64);
            from.segment().fill((byte) 1);
            rig.left.state.nextSendPsn = rig.left.state.nextSendPsn + ahead & 0xff_ffff;
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(to, 0).sge(from, 0, 8).post().ring();
            rig.run();
            assertThat(nanosToFailure(rig, TIMEOUT_12, 20)).isEqualTo(timeouts * TIMEOUT_12);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 TRANSPORT_RETRY_EXC_ERR");
            assertThat(to.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0)).isZero();
            assertThat(rig.right.state.state()).isEqualTo(State.RTS);
            assertThat(rig.a.findings.getLast()).contains("PSN 0x").contains("expects 0x");
        }
    }

    @Test
    void shouldFailAnUnansweredReadAndFlushWhatFollows() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            int bytes = 4 << 20; // More than one duty cycle moves.
            Node.Buffer into = rig.a.buffer(bytes);
            Node.Buffer from = rig.b.buffer(bytes);
            rig.left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(into, 0, bytes).post();
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(from, 0).sge(into, 0, 8).post().ring();
            rig.a.engine.poll();
            rig.right.to(State.RESET);
            rig.run();
            nanosToFailure(rig, TIMEOUT_12, 20);
            assertThat(rig.left.sendCq.drain())
                    .containsExactly("0 TRANSPORT_RETRY_EXC_ERR", "1 WR_FLUSH_ERR");
        }
    }
}
