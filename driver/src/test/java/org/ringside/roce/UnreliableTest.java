package org.ringside.roce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Service;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/** UC and UD. */
class UnreliableTest {
    private static void fill(Peer peer, int length) {
        byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        MemorySegment.copy(MemorySegment.ofArray(data), 0, peer.buffer, 0, length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1024, 1025, 100_000})
    void shouldCarryUcSendsAndWrites(int length) {
        Pair pair = Pair.connected(Service.UC);
        fill(pair.left, length);
        pair.right.receive(1, 0, Math.max(length, 1));
        pair.left.send(1, 0, length);
        pair.left.write(2, 0, length, pair.right, 1 << 20);
        pair.runUntil(() -> pair.left.queues.sent.size() == 2, Pair.SECOND);
        pair.run(Pair.MILLISECOND);
        assertThat(pair.right.queues.received.get(0).bytes()).isEqualTo(length);
        assertThat(
                        pair.right
                                .buffer
                                .asSlice(0, length)
                                .mismatch(pair.left.buffer.asSlice(0, length)))
                .isEqualTo(-1);
        assertThat(
                        pair.right
                                .buffer
                                .asSlice(1 << 20, length)
                                .mismatch(pair.left.buffer.asSlice(0, length)))
                .isEqualTo(-1);
        assertThat(pair.right.transport.counters().get(Counter.SENT_PACKETS)).isZero();
    }

    /** A gap costs messages, never makes a wrong one. */
    @Test
    void shouldLoseWholeUcMessagesOnly() {
        Pair pair =
                new Pair(Service.UC, new Mishaps(0.05, 0.02, 0, 0.02, 1000, 0), 3)
                        .connect(Peer.Settings.USUAL);
        int messages = 2000;
        int length = 5000;
        fill(pair.left, length);
        for (int i = 0; i < messages; i++) {
            pair.right.receive(i, 0, length);
            pair.left.send(i, 0, length);
        }
        pair.right.queues.onReceived =
                done -> {
                    assertThat(done.bytes()).isEqualTo(length);
                    assertThat(
                                    pair.right
                                            .buffer
                                            .asSlice(0, length)
                                            .mismatch(pair.left.buffer.asSlice(0, length)))
                            .isEqualTo(-1);
                };
        pair.runUntil(() -> pair.left.queues.sent.size() == messages, Pair.SECOND);
        pair.run(Pair.MILLISECOND);
        assertThat(pair.right.queues.received.size()).isBetween(messages / 3, messages - 100);
        assertThat(pair.right.transport.counters().get(Counter.UC_MESSAGE_DROPPED)).isPositive();
        assertThat(pair.right.qp.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void shouldDropUcWriteWithWrongKeySilently() {
        Pair pair = Pair.connected(Service.UC);
        pair.left.post(
                into -> {
                    pair.left.remote(1, SendRequest.Kind.WRITE, 0, 64, pair.right, 0).accept(into);
                    into.rkey++;
                });
        pair.left.write(2, 0, 64, pair.right, 128);
        pair.left.buffer.fill((byte) 5);
        pair.runUntil(() -> pair.left.queues.sent.size() == 2, Pair.SECOND);
        pair.run(Pair.MILLISECOND);
        assertThat(pair.right.buffer.get(JAVA_BYTE, 0)).isZero();
        assertThat(pair.right.buffer.get(JAVA_BYTE, 128)).isEqualTo((byte) 5);
    }

    private static void datagram(Pair pair, long id, int length, int qkey) {
        pair.left.post(
                into -> {
                    into.id = id;
                    into.sges().add(pair.left.key, pair.left.buffer.address(), length);
                    into.flow = pair.left.flowTo(pair.right);
                    into.destinationQp = pair.right.number;
                    into.qkey = qkey;
                });
    }

    @Test
    void shouldCarryDatagramsBehindARouteHeader() {
        Pair pair = Pair.connected(Service.UD);
        fill(pair.left, 1024);
        pair.right.receive(1, 0, 2048);
        datagram(pair, 1, 1000, Peer.QKEY);
        pair.runUntil(() -> !pair.right.queues.received.isEmpty(), Pair.SECOND);
        assertThat(pair.right.queues.received)
                .containsExactly(
                        new TestQueues.ReceiveDone(
                                1, WcStatus.SUCCESS, WcOpcode.RECV, 1040, false, 0, 17, false));
        assertThat(pair.right.buffer.asSlice(40, 1000).mismatch(pair.left.buffer.asSlice(0, 1000)))
                .isEqualTo(-1);
        byte[] header = new byte[40];
        MemorySegment.copy(pair.right.buffer, 0, MemorySegment.ofArray(header), 0, 40);
        assertThat(header[0]).isZero();
        assertThat(header[20]).isEqualTo((byte) 0x45);
        assertThat(header).endsWith(10, 0, 0, 17, 10, 0, 0, 18);
    }

    @Test
    void shouldDropDatagramsThatDoNotFit() {
        Pair pair = Pair.connected(Service.UD);
        datagram(pair, 1, 10, Peer.QKEY);
        pair.run(Pair.MILLISECOND);
        pair.right.receive(1, 0, 100);
        datagram(pair, 2, 10, Peer.QKEY + 1);
        datagram(pair, 3, 61, Peer.QKEY);
        datagram(pair, 4, 60, Peer.QKEY);
        pair.run(Pair.MILLISECOND);
        assertThat(pair.left.queues.sent).hasSize(4);
        assertThat(pair.right.queues.received).hasSize(1);
        assertThat(pair.right.queues.received.get(0).bytes()).isEqualTo(100);
        assertThat(pair.right.transport.counters().get(Counter.UD_NO_RECEIVE)).isEqualTo(1);
        assertThat(pair.right.transport.counters().get(Counter.BAD_QKEY)).isEqualTo(1);
        assertThat(pair.right.transport.counters().get(Counter.UD_TOO_LONG)).isEqualTo(1);
    }

    @Test
    void shouldStopOnlyTheSendQueueWhenADatagramIsTooLong() {
        Pair pair = Pair.connected(Service.UD);
        datagram(pair, 1, 1025, Peer.QKEY);
        datagram(pair, 2, 8, Peer.QKEY);
        pair.run(Pair.MILLISECOND);
        assertThat(pair.left.queues.sent)
                .containsExactly(
                        new TestQueues.SendDone(1, WcStatus.LOC_LEN_ERR),
                        new TestQueues.SendDone(2, WcStatus.WR_FLUSH_ERR));
        assertThat(pair.left.qp.state()).isEqualTo(QpState.SQE);
        pair.left.qp.resume();
        pair.right.receive(1, 0, 100);
        datagram(pair, 3, 8, Peer.QKEY);
        pair.runUntil(() -> pair.right.queues.received.size() == 1, Pair.SECOND);
    }

    @Test
    void shouldDeliverGroupDatagramsToEachMember() {
        Pair pair = Pair.connected(Service.UD);
        Gid group = Gid.parse("239.1.2.3");
        pair.right.transport.attach(pair.right.qp, group.high(), group.low());
        pair.right.receive(1, 0, 100);
        pair.left.post(
                into -> {
                    into.sges().add(pair.left.key, pair.left.buffer.address(), 8);
                    into.flow =
                            new Flow(
                                    pair.left.mac,
                                    0x01005e010203L,
                                    -1,
                                    pair.left.gid,
                                    group,
                                    0,
                                    1,
                                    0,
                                    0xc000);
                    into.destinationQp = 0xffffff;
                    into.qkey = Peer.QKEY;
                });
        pair.runUntil(() -> pair.right.queues.received.size() == 1, Pair.SECOND);
    }
}
