package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.PacketWriter;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Syndrome;
import org.ringside.roce.packet.Verdict;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.WcStatus;

/** A long wait for a peer's receive, as rxe makes it. */
class RcNotReadyTest {
    private static final int ROUNDS = 50;

    private final Pair pair =
            new Pair(Service.RC, Mishaps.delay(100_000), 1).connect(Peer.Settings.USUAL);
    private final Packet packet = new Packet();
    private final Frame nak = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 64));
    private int sends;
    private int psn;

    private void watch(Frame frame) {
        if (packet.parse(frame) == Verdict.ROCE && packet.destinationQp() == pair.right.number) {
            sends++;
            psn = packet.psn();
        }
    }

    /** To each RNR NAK rxe adds a NAK for the packet behind; both for the same PSN. */
    private void sequenceNak() {
        PacketWriter out = new PacketWriter();
        out.begin(
                nak,
                pair.right.flowTo(pair.left),
                Opcodes.ACKNOWLEDGE,
                pair.left.number,
                psn,
                false,
                false);
        out.acknowledge(Syndrome.NAK_SEQUENCE, 0);
        out.seal(0);
        pair.left.transport.receive(nak, pair.now);
    }

    @Test
    void shouldOutlastALongWaitWhenSequenceNaksComeBetweenRnrNaks() {
        pair.wire.tap((frame, time) -> watch(frame));
        pair.left.send(1, 0, 64);
        for (int round = 1; round <= ROUNDS; round++) {
            int before = sends;
            pair.runUntil(() -> sends > before, Pair.SECOND);
            sequenceNak();
            long answered = pair.left.transport.counters().get(Counter.RECEIVED_RNR);
            pair.runUntil(
                    () -> pair.left.transport.counters().get(Counter.RECEIVED_RNR) > answered,
                    Pair.SECOND);
        }
        assertThat(pair.left.queues.sent).isEmpty();
        assertThat(pair.left.transport.counters().get(Counter.RECEIVED_NAK_SEQUENCE))
                .isEqualTo(ROUNDS);

        pair.right.receive(2, 4096, 64);
        pair.runUntil(() -> !pair.left.queues.sent.isEmpty(), Pair.SECOND);
        assertThat(pair.left.queues.sent.get(0).status()).isEqualTo(WcStatus.SUCCESS);
    }
}
