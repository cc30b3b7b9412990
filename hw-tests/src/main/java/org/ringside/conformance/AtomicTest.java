package org.ringside.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** Compare-and-swap and fetch-and-add. */
class AtomicTest extends KitTest {
    @Test
    void shouldSwapWhenEqual() throws Exception {
        try (Connection c = connect()) {
            c.right.memory.set(JAVA_LONG, 64, 0x1122334455667788L);
            WorkCompletions done = compareSwap(c, 64, 0x1122334455667788L, -5L);

            assertThat(done.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(done.opcode(0)).isEqualTo(WcOpcode.COMP_SWAP);
            assertThat(c.left.memory.get(JAVA_LONG, 0)).isEqualTo(0x1122334455667788L);
            assertThat(c.right.memory.get(JAVA_LONG, 64)).isEqualTo(-5L);
        }
    }

    @Test
    void shouldNotSwapWhenDifferent() throws Exception {
        try (Connection c = connect()) {
            c.right.memory.set(JAVA_LONG, 64, 10L);
            assertThat(compareSwap(c, 64, 11L, 12L).status(0)).isEqualTo(WcStatus.SUCCESS);

            assertThat(c.left.memory.get(JAVA_LONG, 0)).isEqualTo(10L);
            assertThat(c.right.memory.get(JAVA_LONG, 64)).isEqualTo(10L);
        }
    }

    @Test
    void shouldFetchAndAddWithWrap() throws Exception {
        try (Connection c = connect()) {
            c.right.memory.set(JAVA_LONG, 0, -1L);
            WorkCompletions done = fetchAdd(c, 3);

            assertThat(done.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(done.opcode(0)).isEqualTo(WcOpcode.FETCH_ADD);
            assertThat(c.left.memory.get(JAVA_LONG, 0)).isEqualTo(-1L);
            assertThat(c.right.memory.get(JAVA_LONG, 0)).isEqualTo(2L);
        }
    }

    @Test
    void shouldSumExactlyFromBothEnds() throws Exception {
        try (Connection c = connect()) {
            int rounds = 500;
            for (int i = 0; i < rounds; i++) {
                c.left.qp.start();
                c.left.qp.wrId(i).flags(SendFlags.SIGNALED);
                c.left.qp.fetchAdd(c.right.rkey(), c.right.at(0), 1);
                c.left.qp.sge(c.left.lkey(), c.left.at(0), 8);
                c.left.submit();
                c.right.qp.start();
                c.right.qp.wrId(i).flags(SendFlags.SIGNALED);
                c.right.qp.fetchAdd(c.left.rkey(), c.left.at(64), 2);
                c.right.qp.sge(c.right.lkey(), c.right.at(64), 8);
                c.right.submit();
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                assertThat(c.right.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                assertThat(c.left.memory.get(JAVA_LONG, 0)).isEqualTo(i);
            }
            assertThat(c.right.memory.get(JAVA_LONG, 0)).isEqualTo(rounds);
            assertThat(c.left.memory.get(JAVA_LONG, 64)).isEqualTo(2L * rounds);
        }
    }

    private static WorkCompletions compareSwap(Connection c, long offset, long compare, long swap) {
        c.left.qp.start();
        c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
        c.left.qp.compareSwap(c.right.rkey(), c.right.at(offset), compare, swap);
        c.left.qp.sge(c.left.lkey(), c.left.at(0), 8);
        c.left.submit();
        return c.left.next();
    }

    private static WorkCompletions fetchAdd(Connection c, long add) {
        c.left.qp.start();
        c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
        c.left.qp.fetchAdd(c.right.rkey(), c.right.at(0), add);
        c.left.qp.sge(c.left.lkey(), c.left.at(0), 8);
        c.left.submit();
        return c.left.next();
    }
}
