package org.ringside.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.ringside.roce.packet.Service;
import org.ringside.roce.wire.Mishaps;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/** Faults, and what each side is told of them (IBTA 9.9, 11.6.2). */
class RcErrorTest {
    private final Pair pair = Pair.connected(Service.RC);
    private final Peer left = pair.left;
    private final Peer right = pair.right;

    private WcStatus first() {
        pair.runUntil(() -> !left.queues.sent.isEmpty(), 2 * Pair.SECOND);
        pair.run(Pair.MILLISECOND);
        return left.queues.sent.get(0).status();
    }

    private void assertBothInError() {
        assertThat(left.qp.state()).isEqualTo(QpState.ERR);
        assertThat(right.qp.state()).isEqualTo(QpState.ERR);
    }

    private void remote(SendRequest.Kind kind, long offset, long length, int rkey, long address) {
        left.post(
                into -> {
                    left.remote(1, kind, offset, length, right, 0).accept(into);
                    into.rkey = rkey;
                    into.remoteAddress = address;
                });
    }

    @Test
    void shouldRefuseWriteWithWrongKey() {
        remote(SendRequest.Kind.WRITE, 0, 100, right.key + 1, right.buffer.address());
        left.write(2, 0, 100, right, 0);
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(left.queues.sent.get(1).status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(right.queues.events).containsExactly(QpOwner.Event.ACCESS_ERROR);
        assertBothInError();
    }

    @Test
    void shouldRefuseReadWithWrongKey() {
        remote(SendRequest.Kind.READ, 0, 100, right.key + 1, right.buffer.address());
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertBothInError();
    }

    @Test
    void shouldRefuseRangesThatLeaveTheRegion() {
        remote(
                SendRequest.Kind.WRITE,
                0,
                5000,
                right.key,
                right.buffer.address() + Peer.BYTES - 4999);
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(
                        right.buffer
                                .asSlice(Peer.BYTES - 4999)
                                .mismatch(MemorySegment.ofArray(new byte[4999])))
                .isEqualTo(-1);
        assertBothInError();
    }

    @Test
    void shouldRefuseARangeThatWrapsAround() {
        remote(SendRequest.Kind.READ, 0, 64, right.key, -8);
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldRefuseWhatTheRegionDoesNotAllow() {
        int readOnly = right.memory.register(Peer.PD, right.buffer, 0, Memory.REMOTE_READ);
        remote(SendRequest.Kind.WRITE, 0, 64, readOnly, 0);
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldRefuseARegionOfAnotherPd() {
        int foreign = right.memory.register(Peer.PD + 1, right.buffer, 0, Peer.ALL);
        remote(SendRequest.Kind.READ, 0, 64, foreign, 0);
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void shouldIgnoreKeyAndAddressOfNothing() {
        remote(SendRequest.Kind.WRITE, 0, 0, 0xdeadbeef, -1);
        remote(SendRequest.Kind.READ, 0, 0, 0xdeadbeef, -1);
        pair.runUntil(() -> left.queues.sent.size() == 2, Pair.SECOND);
        assertThat(left.queues.sent).allMatch(d -> d.status() == WcStatus.SUCCESS);
    }

    @Test
    void shouldRefuseAMisalignedAtomic() {
        remote(SendRequest.Kind.FETCH_ADD, 0, 8, right.key, right.buffer.address() + 4);
        assertThat(first()).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(right.queues.events).contains(QpOwner.Event.REQUEST_ERROR);
        assertBothInError();
    }

    @Test
    void shouldTellBothSidesOfASendThatIsTooLong() {
        right.receive(3, 0, 1500);
        left.send(1, 0, 1501);
        assertThat(first()).isEqualTo(WcStatus.REM_INV_REQ_ERR);
        assertThat(right.queues.received.get(0).status()).isEqualTo(WcStatus.LOC_LEN_ERR);
        assertBothInError();
    }

    @Test
    void shouldGiveUpWhenThePeerHasNoReceive() {
        Pair impatient =
                new Pair(Service.RC, Mishaps.NONE, 1).connect(Peer.Settings.USUAL.withRnr(1, 2));
        impatient.left.send(1, 0, 10);
        impatient.runUntil(() -> !impatient.left.queues.sent.isEmpty(), Pair.SECOND);
        assertThat(impatient.left.queues.sent.get(0).status())
                .isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
        assertThat(impatient.right.transport.counters().get(Counter.SENT_RNR)).isEqualTo(3);
        assertThat(impatient.right.qp.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void shouldGiveUpOnADeadPeerAfterTheRetriesAndNotBefore() {
        Pair dead =
                new Pair(Service.RC, new Mishaps(1, 0, 0, 0, 0, 0), 1)
                        .connect(Peer.Settings.USUAL.withRetries(10, 3));
        long from = dead.now;
        dead.left.write(1, 0, 10, dead.right, 0);
        dead.runUntil(() -> !dead.left.queues.sent.isEmpty(), Pair.SECOND);
        assertThat(dead.left.queues.sent.get(0).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
        assertThat(dead.left.transport.counters().get(Counter.SENT_PACKETS)).isEqualTo(4);
        assertThat(dead.now - from).isBetween(4 * (4096L << 10), 5 * (4096L << 10));
    }

    /** 7 is a number for timeouts; only for RNR it means for ever. */
    @Test
    void shouldTakeSevenRetriesForSeven() {
        Pair dead =
                new Pair(Service.RC, new Mishaps(1, 0, 0, 0, 0, 0), 1)
                        .connect(Peer.Settings.USUAL.withRetries(8, 7));
        dead.left.write(1, 0, 10, dead.right, 0);
        dead.runUntil(() -> !dead.left.queues.sent.isEmpty(), Pair.SECOND);
        assertThat(dead.left.transport.counters().get(Counter.SENT_PACKETS)).isEqualTo(8);
    }

    @Test
    void shouldFailALocalKeyInItsTurn() {
        left.write(1, 0, 5000, right, 0);
        left.post(
                into -> {
                    into.id = 2;
                    into.kind = SendRequest.Kind.SEND;
                    into.sges().add(left.key + 1, left.buffer.address(), 10);
                });
        left.write(3, 0, 10, right, 0);
        pair.runUntil(() -> left.queues.sent.size() == 3, Pair.SECOND);
        assertThat(left.queues.sent)
                .containsExactly(
                        new TestQueues.SendDone(1, WcStatus.SUCCESS),
                        new TestQueues.SendDone(2, WcStatus.LOC_PROT_ERR),
                        new TestQueues.SendDone(3, WcStatus.WR_FLUSH_ERR));
        assertThat(right.qp.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void shouldFailAReadWhoseOwnMemoryMayNotBeWritten() {
        int readOnly = left.memory.register(Peer.PD, left.buffer, 0, 0);
        left.post(
                into -> {
                    left.remote(1, SendRequest.Kind.READ, 0, 0, right, 0).accept(into);
                    into.sges().add(readOnly, 0, 64);
                });
        assertThat(first()).isEqualTo(WcStatus.LOC_PROT_ERR);
    }

    @Test
    void shouldRefuseAnMtuThatIsNotOurs() {
        Pair mismatched = new Pair(Service.RC, Mishaps.NONE, 1);
        mismatched.left.connect(mismatched.right, Peer.Settings.USUAL.withMtu(512), mismatched.now);
        mismatched.right.connect(
                mismatched.left, Peer.Settings.USUAL.withMtu(1024), mismatched.now);
        mismatched.left.write(1, 0, 2000, mismatched.right, 0);
        mismatched.runUntil(() -> !mismatched.left.queues.sent.isEmpty(), Pair.SECOND);
        assertThat(mismatched.left.queues.sent.get(0).status()).isEqualTo(WcStatus.REM_INV_REQ_ERR);
    }

    @Test
    void shouldStopAReadWhoseRegionGoesAway() {
        int passing = right.memory.register(Peer.PD, right.buffer, 0, Peer.ALL);
        remote(SendRequest.Kind.READ, 0, 1_000_000, passing, 0);
        pair.runUntil(
                () -> right.transport.counters().get(Counter.SENT_PACKETS) > 100, Pair.SECOND);
        right.memory.release(passing);
        assertThat(first()).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertBothInError();
    }
}
