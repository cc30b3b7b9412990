package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** Polling by cursor and by batch, and sleeping until something comes. */
class CompletionTest extends KitTest {
    private static final int ROUNDS = 50;

    /** Two sends a round, none of which completes. */
    private static final EndOptions SENDER = EndOptions.USUAL.wrs(2 * ROUNDS);

    @Test
    void shouldShowTheSameByCursor() throws Exception {
        try (Connection c = connect()) {
            for (int i = 0; i < 5; i++) {
                c.right.postRecv(50 + i, 0, 64);
            }
            c.left.qp.start();
            for (int i = 0; i < 5; i++) {
                c.left.qp.wrId(10 + i).flags(SendFlags.SIGNALED);
                c.left.qp.sendImm(i);
                c.left.qp.sge(c.left.lkey(), c.left.at(0), 8L * i);
            }
            c.left.submit();

            CompletionQueue cq = c.right.cq;
            int seen = 0;
            while (seen < 5) {
                Wait.until("a completion", cq::startPoll);
                do {
                    assertThat(cq.wrId()).isEqualTo(50 + seen);
                    assertThat(cq.status()).isEqualTo(WcStatus.SUCCESS);
                    assertThat(cq.opcode()).isEqualTo(WcOpcode.RECV);
                    assertThat(cq.byteLength()).isEqualTo(8L * seen);
                    assertThat(cq.hasImmediate()).isTrue();
                    assertThat(cq.immediate()).isEqualTo(seen);
                    assertThat(cq.qpNumber()).isEqualTo(c.right.qp.number());
                    assertThat(cq.vendorError()).isZero();
                    seen++;
                } while (cq.nextPoll());
                cq.endPoll();
            }
            assertThat(cq.startPoll()).isFalse();
        }
    }

    @Test
    void shouldTakeNoMoreThanTheStorageHolds() throws Exception {
        try (Connection c = connect()) {
            c.left.qp.start();
            for (int i = 0; i < 10; i++) {
                c.left.qp.wrId(i).flags(SendFlags.SIGNALED);
                c.left.qp.write(c.right.rkey(), c.right.at(0));
                c.left.qp.sge(c.left.lkey(), c.left.at(0), 8);
            }
            c.left.submit();
            WorkCompletions three = new WorkCompletions(3);
            int[] seen = {0};
            Wait.until(
                    "ten completions",
                    () -> {
                        int n = c.left.cq.poll(three);
                        assertThat(n).isLessThanOrEqualTo(3).isEqualTo(three.size());
                        for (int i = 0; i < n; i++) {
                            assertThat(three.wrId(i)).isEqualTo(seen[0]++);
                        }
                        return seen[0] == 10;
                    });
            assertThat(c.left.cq.poll(three)).isZero();
            assertThat(three.size()).isZero();
        }
    }

    @Test
    void shouldWakeOnACompletion() throws Exception {
        try (Sleeper s = new Sleeper(topology)) {
            s.cq.requestNotify(false);
            assertThat(s.channel.await(Duration.ofMillis(20))).isNull();
            s.postRecv();
            s.send(SendFlags.NONE);
            assertThat(s.channel.await(Duration.ofSeconds(20))).isSameAs(s.cq);
            assertThat(Wait.forCompletion(s.cq).opcode(0)).isEqualTo(WcOpcode.RECV);
        }
    }

    @Test
    void shouldNotifyOnceUntilArmedAgain() throws Exception {
        try (Sleeper s = new Sleeper(topology)) {
            for (int round = 0; round < ROUNDS; round++) {
                s.cq.requestNotify(false);
                s.postRecv();
                s.postRecv();
                s.send(SendFlags.NONE);
                s.send(SendFlags.NONE);
                assertThat(s.channel.await(Duration.ofSeconds(20))).isSameAs(s.cq);
                Wait.forCompletion(s.cq);
                Wait.forCompletion(s.cq);
                assertThat(s.channel.await(Duration.ofMillis(1))).isNull();
            }
        }
    }

    @Test
    void shouldWakeOnlyOnSolicitedWhenAsked() throws Exception {
        try (Sleeper s = new Sleeper(topology)) {
            s.cq.requestNotify(true);
            s.postRecv();
            s.send(SendFlags.NONE);
            Wait.forCompletion(s.cq);
            assertThat(s.channel.await(Duration.ofMillis(20))).isNull();
            s.postRecv();
            s.send(SendFlags.SOLICITED);
            assertThat(s.channel.await(Duration.ofSeconds(20))).isSameAs(s.cq);
        }
    }

    @Test
    void shouldRefuseNotificationWithoutAChannel() throws Exception {
        try (CompletionQueue cq = OpenDevices.get(topology.left()).createCq(16)) {
            assertThatThrownBy(() -> cq.requestNotify(false))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("channel");
        }
    }

    /** A receiver with a channel, and an end that sends to it. */
    private static final class Sleeper implements AutoCloseable {
        final End sender;
        final End memory;
        final CompletionChannel channel;
        final CompletionQueue cq;
        final QueuePair qp;

        Sleeper(Topology topology) throws Exception {
            Context right = OpenDevices.get(topology.right());
            sender = new End(OpenDevices.get(topology.left()), 4096, SENDER);
            memory = new End(right, 4096, EndOptions.USUAL);
            channel = right.createCompletionChannel(0);
            cq = right.createCq(64, channel);
            qp = memory.pd.createQp(new QpOptions(cq));
            Endpoint here = qp.endpoint();
            qp.connect(sender.qp.endpoint());
            sender.qp.connect(here, new ConnectOptions());
        }

        void postRecv() {
            qp.postRecv(1, memory.lkey(), memory.at(0), 64);
        }

        void send(int flags) {
            assertThat(sender.qp.postSend(1, flags, sender.lkey(), sender.at(0), 64))
                    .isEqualTo(PostResult.POSTED);
        }

        @Override
        public void close() throws VerbsException {
            qp.close();
            cq.close();
            channel.close();
            memory.close();
            sender.close();
        }
    }
}
