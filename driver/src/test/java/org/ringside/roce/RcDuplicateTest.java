package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Opcodes;
import org.ringside.roce.packet.Operation;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Psn;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Verdict;

/** What a responder says to a request that it has seen before. */
class RcDuplicateTest {
    private final Pair pair = Pair.connected(Service.RC);
    private final Packet packet = new Packet();
    private final Frame write = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 64));
    private final List<Integer> acknowledged = new ArrayList<>();
    private int writePsn;

    private void watch(Frame frame) {
        if (packet.parse(frame) != Verdict.ROCE) {
            return;
        }
        if (packet.opcode() == Opcodes.ACKNOWLEDGE) {
            acknowledged.add(packet.psn());
        } else if (packet.opcode().operation() == Operation.WRITE) {
            writePsn = packet.psn();
            write.copyOf(frame);
        }
    }

    /**
     * rxe takes an ACK by the PSN of a READ for its response, and the READ completes without data.
     */
    @Test
    void shouldNotAcknowledgeAReadWhenAnEarlierWriteComesAgain() {
        pair.wire.tap((frame, time) -> watch(frame));
        pair.left.write(0, 0, 64, pair.right, 0);
        pair.left.read(1, 4096, 64, pair.right, 0);
        pair.left.fetchAdd(2, 8192, pair.right, 8192, 1);
        pair.runUntil(() -> pair.left.queues.sent.size() == 3, Pair.SECOND);
        acknowledged.clear();

        pair.right.transport.receive(write, pair.now);
        pair.run(Pair.MILLISECOND);

        assertThat(acknowledged).containsExactly(writePsn);
        assertThat(pair.right.transport.counters().get(Counter.DUPLICATE_REQUEST)).isOne();
    }

    @Test
    void shouldAcknowledgeAllThatWasTakenWhenAnEarlierWriteComesAgain() {
        pair.left.write(0, 0, 64, pair.right, 0);
        pair.wire.tap((frame, time) -> watch(frame));
        pair.runUntil(() -> pair.left.queues.sent.size() == 1, Pair.SECOND);
        int firstPsn = writePsn;
        Frame first = new Frame(Arena.ofAuto().allocate(Frame.CAPACITY, 64));
        first.copyOf(write);
        pair.left.write(1, 0, 3000, pair.right, 0);
        pair.runUntil(() -> pair.left.queues.sent.size() == 2, Pair.SECOND);
        acknowledged.clear();

        pair.right.transport.receive(first, pair.now);
        pair.run(Pair.MILLISECOND);

        assertThat(acknowledged).containsExactly(Psn.wire(firstPsn + 3));
    }
}
