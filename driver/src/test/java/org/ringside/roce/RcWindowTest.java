package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Packet;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Verdict;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/** Memory windows over the wire, shared receive queues, congestion marks. */
class RcWindowTest {
    private final Pair pair = Pair.connected(Service.RC);
    private final Peer left = pair.left;
    private final Peer right = pair.right;

    private int bindOnRight() {
        int window = right.memory.allocateWindow(Peer.PD, true);
        right.post(
                into -> {
                    into.kind = SendRequest.Kind.BIND;
                    into.windowKey = window;
                    into.regionKey = right.key;
                    into.remoteAddress = right.buffer.address();
                    into.windowLength = 4096;
                    into.windowRights = Memory.REMOTE_WRITE;
                });
        pair.runUntil(() -> right.queues.sent.size() == 1, Pair.SECOND);
        assertThat(right.queues.sent.get(0).status()).isEqualTo(WcStatus.SUCCESS);
        return window;
    }

    private void writeBy(int rkey, long id) {
        left.post(
                into -> {
                    left.remote(id, SendRequest.Kind.WRITE, 0, 64, right, 0).accept(into);
                    into.rkey = rkey;
                });
    }

    @Test
    void shouldWriteThroughAWindowUntilThePeerInvalidatesIt() {
        int window = bindOnRight();
        right.receive(1, 8192, 64);
        writeBy(window, 1);
        left.post(
                into -> {
                    into.id = 2;
                    into.kind = SendRequest.Kind.SEND_INVALIDATE;
                    into.immediate = window;
                });
        writeBy(window, 3);
        pair.runUntil(() -> left.queues.sent.size() == 3, Pair.SECOND);
        assertThat(left.queues.sent)
                .extracting(TestQueues.SendDone::status)
                .containsExactly(WcStatus.SUCCESS, WcStatus.SUCCESS, WcStatus.REM_ACCESS_ERR);
        assertThat(right.queues.received).hasSize(1);
    }

    @Test
    void shouldInvalidateLocallyAfterAllThatCameBefore() {
        int window = bindOnRight();
        right.write(5, 0, 100_000, left, 0);
        right.post(
                into -> {
                    into.id = 6;
                    into.kind = SendRequest.Kind.LOCAL_INVALIDATE;
                    into.immediate = window;
                });
        pair.runUntil(() -> right.queues.sent.size() == 3, Pair.SECOND);
        assertThat(right.queues.sent.get(2))
                .isEqualTo(new TestQueues.SendDone(6, WcStatus.SUCCESS));
        writeBy(window, 1);
        pair.runUntil(() -> left.queues.sent.size() == 1, Pair.SECOND);
        assertThat(left.queues.sent.get(0).status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldLeaveASharedQueueAloneAndSaySo() {
        right.queues.shared = true;
        right.receive(1, 0, 64);
        right.receive(2, 0, 64);
        right.qp.toError();
        assertThat(right.queues.receives).hasSize(2);
        assertThat(right.queues.events).containsExactly(QpOwner.Event.LAST_RECEIVE_REACHED);
    }

    /** A switch sets both ECN bits, which the ICRC does not cover; the answer is a CNP. */
    @Test
    void shouldNotifyTheSenderOfACongestionMarkNotMoreOftenThanFiftyMicroseconds() {
        int[] notifications = new int[1];
        Packet packet = new Packet();
        pair.wire.tap(
                (frame, time) -> {
                    if (packet.parse(frame) == Verdict.ROCE && packet.backwardCongestion()) {
                        notifications[0]++;
                        assertThat(packet.destinationQp()).isEqualTo(left.number);
                        assertThat(packet.payloadLength()).isEqualTo(16);
                    } else if (packet.destinationQp() == right.number) {
                        frame.bytes().put(packet.ip() + 1, (byte) 3);
                    }
                });
        long from = pair.now;
        for (int i = 0; i < 10; i++) {
            left.write(i, 0, 10_000, right, 0);
        }
        pair.runUntil(() -> left.queues.sent.size() == 10, Pair.SECOND);
        assertThat(right.transport.counters().get(Counter.CONGESTION_MARKED)).isEqualTo(100);
        assertThat(notifications[0]).isBetween(1, 1 + (int) ((pair.now - from) / 50_000));
        assertThat(left.transport.counters().get(Counter.RECEIVED_CNP)).isEqualTo(notifications[0]);
        assertThat(left.qp.state()).isEqualTo(QpState.RTS);
    }
}
