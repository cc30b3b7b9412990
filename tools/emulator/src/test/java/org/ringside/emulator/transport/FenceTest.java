package org.ringside.emulator.transport;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.mlx5.layout.WqeOpcode;

/** READ answers come later than what is sent behind the READ, unless a fence waits for them. */
class FenceTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        WqeLayout.CTRL_FENCE_INITIATOR_SMALL + ", 1",
        WqeLayout.CTRL_FENCE + ", 7",
        WqeLayout.CTRL_FENCE_STRONG_ORDERING + ", 7",
        WqeLayout.CTRL_FENCE_SMALL_AND_FENCE + ", 7"
    })
    void shouldSendTheAnswerOfAReadOnlyWithFence(int fence, long sent) {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer local = rig.a.buffer(64);
            Node.Buffer remote = rig.b.buffer(64);
            local.segment().set(JAVA_LONG, 0, 1);
            remote.segment().set(JAVA_LONG, 0, 7);
            rig.left.start(WqeOpcode.RDMA_READ).remote(remote, 0).sge(local, 0, 8).post();
            rig.left
                    .start(WqeOpcode.RDMA_WRITE, WqeLayout.CTRL_CQ_UPDATE | fence)
                    .remote(remote, 8)
                    .sge(local, 0, 8)
                    .post()
                    .ring();
            rig.run();
            assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_READ", "1 RDMA_WRITE");
            assertThat(local.segment().get(JAVA_LONG, 0)).isEqualTo(7);
            assertThat(remote.segment().get(JAVA_LONG, 8)).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @CsvSource({"1", "4", "16"})
    void shouldFenceEachOfManyReads(int depth) {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.maxOutgoingReads = depth;
            rig.right.state.maxIncomingReads = depth;
            Node.Buffer local = rig.a.buffer(64);
            Node.Buffer remote = rig.b.buffer(256);
            for (int i = 0; i < 10; i++) {
                remote.segment().set(JAVA_LONG, i * 8L, 100 + i);
                rig.left.start(WqeOpcode.RDMA_READ, 0).remote(remote, i * 8L).sge(local, 0, 8);
                rig.left.post();
                rig.left
                        .start(WqeOpcode.RDMA_WRITE, WqeLayout.CTRL_FENCE)
                        .remote(remote, 128 + i * 8L)
                        .sge(local, 0, 8)
                        .post();
            }
            rig.left.ring();
            rig.run();
            for (int i = 0; i < 10; i++) {
                assertThat(remote.segment().get(JAVA_LONG, 128 + i * 8L)).isEqualTo(100 + i);
            }
        }
    }
}
