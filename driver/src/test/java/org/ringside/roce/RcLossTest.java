package org.ringside.roce;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.roce.packet.Service;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.WcStatus;

/** Exactly once and in order, whatever the wire does. */
class RcLossTest {
    private static final int MESSAGES = 4000;
    private static final int SLOT = 32 << 10;
    private static final int SLOTS = 16;
    private static final long COUNTER = 3 << 20;
    private static final long RESULT = COUNTER + 64;
    private static final Mishaps BAD_WIRE = new Mishaps(0.01, 0.01, 0.05, 0.005, 2_000, 30_000);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldDeliverEachMessageOnceAndSumAtomicsExactly(long seed) {
        Peer.Settings settings =
                Peer.Settings.USUAL.withMtu(seed % 2 == 0 ? 256 : 1024).withRetries(14, 7);
        Pair pair = new Pair(Service.RC, BAD_WIRE, seed).connect(settings);
        new Traffic(pair, new Random(seed)).run();
        assertThat(pair.left.transport.counters().get(Counter.RETRANSMITTED_PACKETS)).isPositive();
        assertThat(pair.left.transport.counters().get(Counter.RETRY_EXCEEDED)).isZero();
    }

    /** One direction of mixed traffic; each message is checked when it ends. */
    private static final class Traffic {
        private final Pair pair;
        private final Random random;
        private final List<byte[]> sent = new ArrayList<>();
        private long sum;
        private int posted;
        private int receivesPosted;

        Traffic(Pair pair, Random random) {
            this.pair = pair;
            this.random = random;
        }

        void run() {
            Peer left = pair.left;
            Peer right = pair.right;
            List<Runnable> checks = new ArrayList<>();
            left.queues.onSent =
                    done -> {
                        assertThat(done.status()).isEqualTo(WcStatus.SUCCESS);
                        assertThat(done.id()).isEqualTo(left.queues.sent.size() - 1);
                        checks.get((int) done.id()).run();
                    };
            right.queues.onReceived = this::received;
            while (left.queues.sent.size() < MESSAGES) {
                while (posted < MESSAGES && posted - left.queues.sent.size() < SLOTS) {
                    checks.add(post(posted++));
                }
                int before = left.queues.sent.size();
                pair.runUntil(() -> left.queues.sent.size() > before, Pair.SECOND);
            }
            pair.run(Pair.MILLISECOND);
            assertThat(right.queues.received).hasSize(sent.size());
            assertThat(right.buffer.get(JAVA_LONG, COUNTER)).isEqualTo(sum);
        }

        private void received(TestQueues.ReceiveDone done) {
            assertThat(done.status()).isEqualTo(WcStatus.SUCCESS);
            int index = pair.right.queues.received.size() - 1;
            assertThat(done.id()).isEqualTo(index);
            byte[] wanted = sent.get(index);
            assertThat(done.bytes()).isEqualTo(wanted.length);
            byte[] got =
                    pair.right
                            .buffer
                            .asSlice((long) index % SLOTS * SLOT, wanted.length)
                            .toArray(JAVA_BYTE);
            assertThat(got).isEqualTo(wanted);
        }

        /** Posts a message of some kind; returns what must hold when it has ended. */
        private Runnable post(int id) {
            Peer left = pair.left;
            Peer right = pair.right;
            long slot = (long) id % SLOTS * SLOT;
            int length = random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(3000);
            return switch (random.nextInt(4)) {
                case 0 -> {
                    byte[] data = fresh(left, slot, length);
                    sent.add(data);
                    right.receive(receivesPosted, (long) receivesPosted % SLOTS * SLOT, SLOT);
                    receivesPosted++;
                    left.send(id, slot, length);
                    yield () -> {};
                }
                case 1 -> {
                    long at = (1 << 20) + slot;
                    byte[] data = fresh(left, slot, length);
                    left.write(id, slot, length, right, at);
                    yield () -> assertThat(bytes(right, at, length)).isEqualTo(data);
                }
                case 2 -> {
                    long at = (2 << 20) + slot;
                    byte[] data = fresh(right, at, length);
                    left.read(id, slot, length, right, at);
                    yield () -> assertThat(bytes(left, slot, length)).isEqualTo(data);
                }
                default -> {
                    int add = random.nextInt(1000);
                    long before = sum;
                    sum += add;
                    left.fetchAdd(id, RESULT, right, COUNTER, add);
                    yield () -> assertThat(left.buffer.get(JAVA_LONG, RESULT)).isEqualTo(before);
                }
            };
        }

        private byte[] fresh(Peer peer, long at, int length) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            MemorySegment.copy(MemorySegment.ofArray(data), 0, peer.buffer, at, length);
            return data;
        }

        private static byte[] bytes(Peer peer, long at, int length) {
            return peer.buffer.asSlice(at, length).toArray(JAVA_BYTE);
        }
    }

    /** Recovery must not wait for the timeout of 67 ms, not even from a second loss. */
    @Test
    void shouldRecoverInFarLessThanTheTimeout() {
        Mishaps lossy = new Mishaps(0.04, 0, 0, 0, 5_000, 0);
        Pair pair = new Pair(Service.RC, lossy, 9).connect(Peer.Settings.USUAL);
        long longest = 0;
        for (int i = 0; i < 2000; i++) {
            int wanted = i + 1;
            long from = pair.now;
            pair.left.write(i, 0, 16 << 10, pair.right, 0);
            pair.runUntil(() -> pair.left.queues.sent.size() == wanted, Pair.SECOND);
            longest = Math.max(longest, pair.now - from);
        }
        assertThat(longest).isLessThan(10 * Pair.MILLISECOND);
    }

    @Test
    void shouldNotRetransmitWithoutLoss() {
        Pair pair = new Pair(Service.RC, Mishaps.delay(20_000), 1).connect(Peer.Settings.USUAL);
        for (int i = 0; i < 500; i++) {
            pair.left.write(i, 0, 50_000, pair.right, 0);
        }
        pair.runUntil(() -> pair.left.queues.sent.size() == 500, 10 * Pair.SECOND);
        assertThat(pair.left.transport.counters().get(Counter.RETRANSMITTED_PACKETS)).isZero();
        assertThat(pair.left.transport.timers().pending()).isZero();
    }
}
