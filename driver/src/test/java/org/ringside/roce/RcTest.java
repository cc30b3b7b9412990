package org.ringside.roce;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.roce.packet.Service;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

class RcTest {
    private static final long FAR = 1 << 20;

    private final Pair pair = Pair.connected(Service.RC);
    private final Peer left = pair.left;
    private final Peer right = pair.right;

    private void untilSent(int count) {
        pair.runUntil(() -> left.queues.sent.size() >= count, Pair.SECOND);
    }

    private void fill(Peer peer, long offset, int length) {
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        MemorySegment.copy(MemorySegment.ofArray(data), 0, peer.buffer, offset, length);
    }

    private void assertSame(Peer a, long at, Peer b, long bt, long length) {
        assertThat(a.buffer.asSlice(at, length).mismatch(b.buffer.asSlice(bt, length)))
                .isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 1023, 1024, 1025, 2048, 2049, 100_000, 1_000_000})
    void shouldCarryASend(int length) {
        fill(left, 0, length);
        right.receive(5, 0, Math.max(length, 1));
        left.send(9, 0, length);
        untilSent(1);
        assertThat(left.queues.sent).containsExactly(new TestQueues.SendDone(9, WcStatus.SUCCESS));
        assertThat(right.queues.received).hasSize(1);
        assertThat(right.queues.received.get(0).bytes()).isEqualTo(length);
        assertThat(right.queues.received.get(0).opcode()).isEqualTo(WcOpcode.RECV);
        assertSame(left, 0, right, 0, length);
        assertThat(left.transport.counters().get(Counter.RETRANSMITTED_PACKETS)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 1025, 777_777})
    void shouldWriteAndRead(int length) {
        fill(left, 0, length);
        left.write(1, 0, length, right, 64);
        left.read(2, FAR, length, right, 64);
        untilSent(2);
        assertSame(left, 0, right, 64, length);
        assertSame(left, 0, left, FAR, length);
        assertThat(right.queues.received).isEmpty();
    }

    @Test
    void shouldCarryImmediateDataAndSolicitation() {
        right.receive(1, 0, 4096);
        right.receive(2, 8192, 4096);
        left.post(
                into -> {
                    left.remote(1, SendRequest.Kind.WRITE_IMMEDIATE, 0, 3000, right, 0)
                            .accept(into);
                    into.immediate = 0xcafe;
                    into.solicited = true;
                });
        left.post(
                into -> {
                    into.kind = SendRequest.Kind.SEND_IMMEDIATE;
                    into.immediate = 0xbeef;
                    into.inlineLength = 8;
                    into.inlineData().set(JAVA_LONG, 0, 0x1122334455667788L);
                });
        untilSent(2);
        assertThat(right.queues.received)
                .containsExactly(
                        new TestQueues.ReceiveDone(
                                1,
                                WcStatus.SUCCESS,
                                WcOpcode.RECV_RDMA_WITH_IMM,
                                3000,
                                true,
                                0xcafe,
                                0,
                                true),
                        new TestQueues.ReceiveDone(
                                2, WcStatus.SUCCESS, WcOpcode.RECV, 8, true, 0xbeef, 0, false));
        assertThat(right.buffer.get(JAVA_LONG, 8192)).isEqualTo(0x1122334455667788L);
    }

    @Test
    void shouldDoAtomics() {
        right.buffer.set(JAVA_LONG, 0, 40);
        left.fetchAdd(1, 0, right, 0, 2);
        left.compareSwap(2, 8, right, 0, 42, 7);
        left.compareSwap(3, 16, right, 0, 42, 9);
        untilSent(3);
        assertThat(left.buffer.get(JAVA_LONG, 0)).isEqualTo(40);
        assertThat(left.buffer.get(JAVA_LONG, 8)).isEqualTo(42);
        assertThat(left.buffer.get(JAVA_LONG, 16)).isEqualTo(7);
        assertThat(right.buffer.get(JAVA_LONG, 0)).isEqualTo(7);
    }

    @Test
    void shouldWaitForAReceiveAsLongAsTheTimerSays() {
        left.send(1, 0, 10);
        pair.run(Pair.MILLISECOND);
        assertThat(left.queues.sent).isEmpty();
        assertThat(left.transport.counters().get(Counter.RECEIVED_RNR)).isBetween(1L, 2L);
        right.receive(1, 0, 100);
        untilSent(1);
        assertThat(right.queues.received).hasSize(1);
        assertThat(left.queues.sent.get(0).status()).isEqualTo(WcStatus.SUCCESS);
    }

    @Test
    void shouldReportCommunicationOnce() {
        Pair fresh = new Pair(Service.RC, Mishaps.NONE, 1);
        fresh.left.connect(fresh.right, Peer.Settings.USUAL, fresh.now);
        fresh.right.qp.toInit();
        fresh.right.qp.toRtr(
                new Connection(
                        fresh.right.flowTo(fresh.left),
                        17,
                        1024,
                        Peer.Settings.USUAL.psn() + 17,
                        4,
                        12,
                        Peer.ALL));
        fresh.right.receive(1, 0, 100);
        fresh.right.receive(2, 0, 100);
        fresh.left.send(1, 0, 10);
        fresh.left.send(2, 0, 10);
        fresh.runUntil(() -> fresh.left.queues.sent.size() == 2, Pair.SECOND);
        assertThat(fresh.right.queues.events)
                .containsExactly(QpOwner.Event.COMMUNICATION_ESTABLISHED);
    }

    @Test
    void shouldHoldAFencedRequestBackUntilReadsAreDone() {
        fill(right, 0, 200_000);
        right.receive(1, FAR, 8);
        left.read(1, 0, 200_000, right, 0);
        left.post(
                into -> {
                    into.id = 2;
                    into.fence = true;
                    into.sges().add(left.key, left.buffer.address() + 199_992, 8);
                });
        untilSent(2);
        assertSame(right, FAR, right, 199_992, 8);
    }

    @Test
    void shouldKeepWithinTheReadsThatThePeerServes() {
        Pair narrow =
                new Pair(Service.RC, Mishaps.delay(50_000), 1)
                        .connect(Peer.Settings.USUAL.withRdAtomic(1));
        for (int i = 0; i < 20; i++) {
            narrow.left.read(i, 0, 5000, narrow.right, 0);
        }
        narrow.runUntil(() -> narrow.left.queues.sent.size() == 20, Pair.SECOND);
        assertThat(narrow.left.queues.sent).allMatch(d -> d.status() == WcStatus.SUCCESS);
    }

    @Test
    void shouldDrainInSqdAndGoOnAfterwards() {
        for (int i = 0; i < 100; i++) {
            left.write(i, 0, 3000, right, 0);
        }
        left.transport.poll(pair.now);
        left.qp.toSqd();
        pair.runUntil(
                () -> left.queues.events.contains(QpOwner.Event.SEND_QUEUE_DRAINED), Pair.SECOND);
        int done = left.queues.sent.size();
        assertThat(done).isBetween(1, 99);
        pair.run(Pair.MILLISECOND);
        assertThat(left.queues.sent).hasSize(done);
        left.qp.resume();
        untilSent(100);
    }

    @Test
    void shouldFlushInOrderWhenTakenToError() {
        right.receive(70, 0, 8);
        right.receive(71, 0, 8);
        left.receive(50, 0, 8);
        left.write(1, 0, 100, right, 0);
        left.write(2, 0, 100, right, 0);
        left.qp.toError();
        left.write(3, 0, 100, right, 0);
        left.receive(51, 0, 8);
        left.qp.kick();
        untilSent(3);
        assertThat(left.queues.sent)
                .extracting(TestQueues.SendDone::id)
                .containsExactly(1L, 2L, 3L);
        assertThat(left.queues.sent).allMatch(d -> d.status() == WcStatus.WR_FLUSH_ERR);
        assertThat(left.queues.received)
                .extracting(TestQueues.ReceiveDone::id)
                .containsExactly(50L, 51L);
        assertThat(right.qp.state()).isEqualTo(QpState.RTS);
        assertThat(right.queues.received).isEmpty();
    }

    @Test
    void shouldServeWhenTheLinkIsFullMostOfTheTime() {
        int length = 2_000_000;
        fill(right, 0, length);
        left.read(1, 0, length, right, 0);
        left.write(2, 0, length, right, 2_000_000);
        untilSent(2);
        assertSame(left, 0, right, 2_000_000, length);
        assertThat(left.transport.counters().get(Counter.RETRANSMITTED_PACKETS)).isZero();
    }
}
