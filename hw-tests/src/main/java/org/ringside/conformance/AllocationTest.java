package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WorkCompletions;

/** The data path makes no objects. */
class AllocationTest extends KitTest {
    private static final int WARM_UP = Integer.getInteger("ringside.kit.warmUp", 20_000);
    private static final int MEASURED = Integer.getInteger("ringside.kit.measured", 20_000);

    @Test
    void shouldAllocateNothingPerOperation() throws Exception {
        try (Connection c = connect()) {
            WorkCompletions some = new WorkCompletions(4);
            run(c, some, WARM_UP);
            com.sun.management.ThreadMXBean threads =
                    (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            run(c, some, WARM_UP);

            long before = threads.getCurrentThreadAllocatedBytes();
            long idle = threads.getCurrentThreadAllocatedBytes() - before;
            before = threads.getCurrentThreadAllocatedBytes();
            run(c, some, MEASURED);
            long allocated = threads.getCurrentThreadAllocatedBytes() - before - idle;

            assertThat(allocated / MEASURED)
                    .as("%d bytes in %d operations", allocated, MEASURED)
                    .isZero();
        }
    }

    /** A SEND received by cursor and a WRITE completed by batch, again and again. */
    private static void run(Connection c, WorkCompletions some, int rounds) {
        End left = c.left;
        End right = c.right;
        CompletionQueue cq = right.cq;
        for (int i = 0; i < rounds; i++) {
            right.qp.postRecv(i, right.lkey(), right.at(0), 64);
            if (left.qp.postSend(i, SendFlags.NONE, left.lkey(), left.at(0), 64)
                    != PostResult.POSTED) {
                throw new AssertionError("send queue full in round " + i);
            }
            while (!cq.startPoll()) {
                Thread.onSpinWait();
            }
            if (cq.wrId() != i) {
                throw new AssertionError("received " + cq.wrId() + " in round " + i);
            }
            cq.endPoll();
            left.qp.start();
            left.qp.wrId(i).flags(SendFlags.SIGNALED);
            left.qp.write(right.rkey(), right.at(0));
            left.qp.inline(left.memory, 0, 32);
            left.qp.submit();
            while (left.cq.poll(some) == 0) {
                Thread.onSpinWait();
            }
        }
    }
}
