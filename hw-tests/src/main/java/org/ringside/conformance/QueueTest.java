package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** Rings: batches, wrap-around, full queues, unsignalled work, misuse of the builder. */
class QueueTest extends KitTest {
    @Test
    void shouldKeepOrderThroughManyWraps() throws Exception {
        EndOptions small = EndOptions.USUAL.wrs(16).cqEntries(64);
        try (Connection c = Connection.of(topology, small, new ConnectOptions())) {
            int messages = 5_000;
            WorkCompletions some = new WorkCompletions(8);
            int posted = 0;
            int sent = 0;
            int received = 0;
            int receives = 0;
            while (received < messages || sent < messages) {
                while (receives < messages && receives - received < 16) {
                    c.right.postRecv(receives, receives % 16 * 64L, 64);
                    receives++;
                }
                if (posted < messages && posted - sent < 16 && posted < receives) {
                    c.left.memory.set(
                            java.lang.foreign.ValueLayout.JAVA_INT, posted % 16 * 64L, posted);
                    PostResult result =
                            c.left.qp.postSend(
                                    posted,
                                    SendFlags.SIGNALED,
                                    c.left.lkey(),
                                    c.left.at(posted % 16 * 64L),
                                    64);
                    assertThat(result).isEqualTo(PostResult.POSTED);
                    posted++;
                }
                int n = c.left.cq.poll(some);
                for (int i = 0; i < n; i++) {
                    assertThat(some.status(i)).isEqualTo(WcStatus.SUCCESS);
                    assertThat(some.wrId(i)).isEqualTo(sent++);
                }
                n = c.right.cq.poll(some);
                for (int i = 0; i < n; i++) {
                    assertThat(some.wrId(i)).isEqualTo(received);
                    assertThat(
                                    c.right.memory.get(
                                            java.lang.foreign.ValueLayout.JAVA_INT,
                                            received % 16 * 64L))
                            .isEqualTo(received);
                    received++;
                }
            }
        }
    }

    @Test
    void shouldRefuseMoreThanTheQueueHoldsAndNothingOfIt() throws Exception {
        try (Connection c =
                Connection.of(topology, EndOptions.USUAL.wrs(8), new ConnectOptions())) {
            int taken = 0;
            while (c.left.qp.postRecv(taken, c.left.lkey(), c.left.at(0), 64)
                    == PostResult.POSTED) {
                taken++;
                assertThat(taken).isLessThanOrEqualTo(4096);
            }
            assertThat(taken).isGreaterThanOrEqualTo(8);
            assertThat(c.left.qp.postRecv(0, c.left.lkey(), c.left.at(0), 64))
                    .isEqualTo(PostResult.QUEUE_FULL);
        }
    }

    @Test
    void shouldPostABatchAsAWholeOrNotAtAll() throws Exception {
        try (Connection c = connect()) {
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.write(c.right.rkey(), c.right.at(0));
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 64);
            c.left.qp.wrId(2);
            c.left.qp.write(c.right.rkey(), c.right.at(0));
            for (int i = 0; i < 200; i++) {
                c.left.qp.sge(c.left.lkey(), c.left.at(0), 1);
            }
            assertThat(c.left.qp.submit()).isEqualTo(PostResult.TOO_MANY_SGES);
            assertWorks(c);
            c.left.expectNothing();
        }
    }

    @Test
    void shouldRefuseInlineThatIsTooLarge() throws Exception {
        try (Connection c = connect()) {
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.write(c.right.rkey(), c.right.at(0));
            c.left.qp.inline(c.left.memory, 0, 8000);
            assertThat(c.left.qp.submit()).isEqualTo(PostResult.INLINE_TOO_LARGE);
            assertWorks(c);
        }
    }

    @Test
    void shouldRefuseStepsOutOfOrder() throws Exception {
        try (Connection c = connect()) {
            c.left.qp.start();
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 64);
            assertThat(c.left.qp.submit()).isEqualTo(PostResult.BAD_SEQUENCE);
            assertThat(c.left.qp.submit()).isEqualTo(PostResult.BAD_SEQUENCE);
            assertWorks(c);
        }
    }

    @Test
    void shouldRefuseBadLengths() throws Exception {
        try (Connection c = connect()) {
            assertThat(c.left.qp.postSend(1, 0, c.left.lkey(), c.left.at(0), -1))
                    .isEqualTo(PostResult.BAD_LENGTH);
            assertThat(c.left.qp.postSend(1, 0, c.left.lkey(), c.left.at(0), 1L << 32))
                    .isEqualTo(PostResult.BAD_LENGTH);
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.fetchAdd(c.right.rkey(), c.right.at(0), 1);
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 4);
            assertThat(c.left.qp.submit()).isEqualTo(PostResult.BAD_LENGTH);
            assertWorks(c);
        }
    }

    @Test
    void shouldForgetAnAbortedBatch() throws Exception {
        try (Connection c = connect()) {
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.write(c.right.rkey(), c.right.at(0));
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 64);
            c.left.qp.abort();
            assertWorks(c);
            c.left.expectNothing();
        }
    }

    @Test
    void shouldFreeUnsignalledWorkByALaterCompletion() throws Exception {
        try (Connection c =
                Connection.of(topology, EndOptions.USUAL.wrs(16), new ConnectOptions())) {
            for (int round = 0; round < 200; round++) {
                c.left.qp.start();
                for (int i = 0; i < 16; i++) {
                    c.left.qp
                            .wrId(round * 16L + i)
                            .flags(i == 15 ? SendFlags.SIGNALED : SendFlags.NONE);
                    c.left.qp.write(c.right.rkey(), c.right.at(i * 8L));
                    c.left.qp.sge(c.left.lkey(), c.left.at(i * 8L), 8);
                }
                c.left.submit();
                assertThat(c.left.next().wrId(0)).isEqualTo(round * 16L + 15);
                c.left.expectNothing();
            }
        }
    }

    @Test
    void shouldCompleteAllWhenAllAreSignalled() throws Exception {
        EndOptions all = EndOptions.USUAL.signalAll(true);
        try (Connection c = Connection.of(topology, all, new ConnectOptions())) {
            c.left.qp.postWrite(
                    4,
                    SendFlags.NONE,
                    c.left.lkey(),
                    c.left.at(0),
                    8,
                    c.right.rkey(),
                    c.right.at(0));
            assertThat(c.left.next().wrId(0)).isEqualTo(4);
        }
    }

    @Test
    void shouldDoMixedWorkOfRandomSizes() throws Exception {
        long seed = Long.getLong("ringside.kit.seed", System.nanoTime());
        System.out.println("seed of mixed work: -Dringside.kit.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int rounds = Integer.getInteger("ringside.kit.rounds", 200);
        try (Connection c = connect()) {
            for (int i = 0; i < rounds; i++) {
                int size = random.nextInt(random.nextBoolean() ? 200 : 100_000);
                long from = random.nextInt(1000);
                long to = random.nextInt(1000);
                boolean leftward = random.nextBoolean();
                End a = leftward ? c.right : c.left;
                End b = leftward ? c.left : c.right;
                switch (random.nextInt(3)) {
                    case 0 -> {
                        Bytes.fill(a.memory, from, size, i);
                        b.postRecv(i, to, size);
                        a.qp.postSend(i, SendFlags.SIGNALED, a.lkey(), a.at(from), size);
                        assertThat(b.next().byteLength(0)).isEqualTo(size);
                        assertThat(a.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                        Bytes.expect(b.memory, to, size, i);
                    }
                    case 1 -> {
                        Bytes.fill(a.memory, from, size, i);
                        a.qp.postWrite(
                                i,
                                SendFlags.SIGNALED,
                                a.lkey(),
                                a.at(from),
                                size,
                                b.rkey(),
                                b.at(to));
                        assertThat(a.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                        Bytes.expect(b.memory, to, size, i);
                    }
                    default -> {
                        Bytes.fill(b.memory, from, size, i);
                        a.qp.postRead(
                                i,
                                SendFlags.SIGNALED,
                                a.lkey(),
                                a.at(to),
                                size,
                                b.rkey(),
                                b.at(from));
                        assertThat(a.next().byteLength(0)).isEqualTo(size);
                        Bytes.expect(a.memory, to, size, i);
                    }
                }
            }
        }
    }

    private static void assertWorks(Connection c) {
        Bytes.fill(c.left.memory, 0, 64, 99);
        assertThat(
                        c.left.qp.postWrite(
                                123,
                                SendFlags.SIGNALED,
                                c.left.lkey(),
                                c.left.at(0),
                                64,
                                c.right.rkey(),
                                c.right.at(512)))
                .isEqualTo(PostResult.POSTED);
        assertThat(c.left.next().wrId(0)).isEqualTo(123);
        Bytes.expect(c.right.memory, 512, 64, 99);
    }
}
