package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeOpcode;

/** No message makes garbage; prints what messages cost on this machine. */
class RcAllocationTest {
    private static final int ROUNDS = 20_000;
    private static final int LARGE = 64 << 10;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private interface Message {
        void post();
    }

    /** Bytes allocated per message, after a warm-up that takes as long. */
    private double allocated(String name, Rig rig, int rounds, Message message) {
        int each = 0;
        long bytes = Long.MAX_VALUE;
        long nanos = Long.MAX_VALUE;
        for (int repetition = 0; repetition < 20; repetition++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < rounds; i++) {
                message.post();
                rig.left.ring();
                rig.a.engine.poll();
                rig.left.sendCq.poll();
                rig.right.receiveCq.poll();
                each++;
            }
            nanos = Math.min(nanos, threads.getCurrentThreadCpuTime() - start);
            bytes = Math.min(bytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(rig.left.sendCq.consumer).isEqualTo(each);
        System.out.printf(
                "%-28s %7d ns, %.3f B per message%n",
                name, nanos / rounds, (double) bytes / rounds);
        return (double) bytes / rounds;
    }

    @Test
    void shouldMakeNoGarbage() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            TestQp left = rig.left;
            double bytes =
                    allocated(
                            "SEND 64 B",
                            rig,
                            ROUNDS,
                            () -> {
                                rig.right.receive(to, 0, 64);
                                left.start(WqeOpcode.SEND).sge(from, 0, 64).post();
                            });
            assertThat(bytes).isLessThan(0.1);
        }
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            double bytes =
                    allocated(
                            "WRITE 64 B",
                            rig,
                            ROUNDS,
                            () ->
                                    rig.left
                                            .start(WqeOpcode.RDMA_WRITE)
                                            .remote(to, 0)
                                            .sge(from, 0, 64)
                                            .post());
            assertThat(bytes).isLessThan(0.1);
        }
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            double bytes =
                    allocated(
                            "READ 64 B",
                            rig,
                            ROUNDS,
                            () ->
                                    rig.left
                                            .start(WqeOpcode.RDMA_READ)
                                            .remote(to, 0)
                                            .sge(from, 0, 64)
                                            .post());
            assertThat(bytes).isLessThan(0.1);
        }
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            double bytes =
                    allocated(
                            "fetch-and-add",
                            rig,
                            ROUNDS,
                            () ->
                                    rig.left
                                            .start(WqeOpcode.ATOMIC_FA)
                                            .remote(to, 0)
                                            .atomic(1, 0)
                                            .sge(from, 0, 8)
                                            .post());
            assertThat(bytes).isLessThan(0.1);
        }
    }

    @Test
    void shouldMakeNoGarbageOfLargeMessages() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(LARGE);
            Node.Buffer to = rig.b.buffer(LARGE);
            double bytes =
                    allocated(
                            "WRITE 64 KiB",
                            rig,
                            ROUNDS / 10,
                            () ->
                                    rig.left
                                            .start(WqeOpcode.RDMA_WRITE)
                                            .remote(to, 0)
                                            .sge(from, 0, LARGE)
                                            .post());
            assertThat(bytes).isLessThan(0.1);
        }
    }
}
