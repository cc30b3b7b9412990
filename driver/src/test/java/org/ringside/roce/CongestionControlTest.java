package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Verdict;
import org.ringside.roce.wire.Mishaps;

class CongestionControlTest {
    private static final long LINE = 1_000_000_000;
    private static final double LINE_BYTES = LINE / 8.0;
    private static final TransportOptions OPTIONS =
            new TransportOptions(true, true, true, 128, LINE);

    private final Pair pair =
            new Pair(Service.RC, Mishaps.delay(2000), 1, OPTIONS).connect(Peer.Settings.USUAL);
    private final CongestionControl control = pair.left.qp.congestion();

    @Test
    void shouldHalveTheRateAtTheFirstNotificationAndReturnHalfOfTheWayEachTime() {
        long now = 1_000_000;
        control.notified(now);
        assertThat(control.bytesPerSecond(now)).isCloseTo(LINE_BYTES / 2, within(1.0));
        now += CongestionControl.INTERVAL_NANOS;
        assertThat(control.bytesPerSecond(now)).isCloseTo(LINE_BYTES * 3 / 4, within(1.0));
        now += CongestionControl.INTERVAL_NANOS;
        assertThat(control.bytesPerSecond(now)).isCloseTo(LINE_BYTES * 7 / 8, within(1.0));
        assertThat(control.bytesPerSecond(now + Pair.SECOND)).isEqualTo(LINE_BYTES);
        assertThat(control.holds(now + Pair.SECOND)).isFalse();
    }

    @Test
    void shouldNeverGoBelowTheSlowestRate() {
        long now = 1_000_000;
        for (int i = 0; i < 1000; i++) {
            control.notified(now);
        }
        assertThat(control.bytesPerSecond(now)).isBetween(1e6, 2e6);
    }

    @Test
    void shouldSlowDownWhileASwitchMarksAndRecoverAfterwards() {
        long unmarked = nanosFor(400);
        Packet packet = new Packet();
        pair.wire.tap(
                (frame, time) -> {
                    if (packet.parse(frame) == Verdict.ROCE
                            && packet.destinationQp() == pair.right.number) {
                        frame.bytes().put(packet.ip() + 1, (byte) 3);
                    }
                });
        long marked = nanosFor(400);
        pair.wire.tap((frame, time) -> {});
        pair.run(100 * Pair.MILLISECOND);
        long again = nanosFor(400);
        assertThat(marked).isGreaterThan(3 * unmarked);
        assertThat(again).isLessThan(2 * unmarked);
        assertThat(pair.left.transport.counters().get(Counter.RECEIVED_CNP)).isPositive();
        assertThat(pair.left.transport.counters().get(Counter.RETRANSMITTED_PACKETS)).isZero();
    }

    private long nanosFor(int messages) {
        int wanted = pair.left.queues.sent.size() + messages;
        long from = pair.now;
        for (int i = 0; i < messages; i++) {
            pair.left.write(i, 0, 8000, pair.right, 0);
        }
        pair.runUntil(() -> pair.left.queues.sent.size() == wanted, 30 * Pair.SECOND);
        return pair.now - from;
    }
}
