package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeOpcode;

/** Each field of a send WQE that can be wrong. */
class SendWqeCheckTest {
    /** The second WQE is the wrong one. */
    private static void assertRefused(String syndrome, String why, Consumer<TestQp> build) {
        try (Rig rig = new Rig(Topology.LOOPBACK)) {
            rig.left.start(WqeOpcode.NOP).post();
            build.accept(rig.left);
            rig.left.ring();
            rig.run();
            assertThat(rig.left.sendCq.drain()).containsExactly("0 NOP", "1 " + syndrome);
            assertThat(rig.left.state.state()).isEqualTo(State.ERR);
            assertThat(rig.right.state.state()).isEqualTo(State.RTS);
            assertThat(rig.a.findings).singleElement().asString().contains(why);
        }
    }

    private static void assertBadOperation(String why, Consumer<TestQp> build) {
        assertRefused("LOCAL_QP_OP_ERR", why, build);
    }

    @Test
    void shouldRefuseAnIndexThatIsNotItsPlace() {
        assertBadOperation(
                "index 0x2, but it is at 0x1",
                qp -> qp.start(WqeOpcode.NOP).patch(0, 2 << 8 | WqeOpcode.NOP).post());
    }

    @Test
    void shouldRefuseAnOpcodeModifier() {
        assertBadOperation(
                "opcode modifier 0x3",
                qp -> qp.start(WqeOpcode.NOP).patch(0, 3 << 24 | 1 << 8).post());
    }

    @Test
    void shouldRefuseAnotherQpn() {
        assertBadOperation(
                "QPN 0x123", qp -> qp.start(WqeOpcode.NOP).patch(4, 0x123 << 8 | 1).post());
    }

    @Test
    void shouldRefuseReservedBits() {
        assertBadOperation(
                "reserved bits",
                qp -> qp.start(WqeOpcode.NOP).patch(4, qp.state.qpn << 8 | 0x41).post());
        for (int bit : new int[] {0, 4, 8, 15, 16, 23}) {
            assertBadOperation(
                    "reserved bits",
                    qp -> qp.start(WqeOpcode.NOP).patch(8, 1 << bit | 0x08).post());
        }
    }

    @Test
    void shouldRefuseReservedFenceModes() {
        assertBadOperation("fence mode 5", qp -> qp.start(WqeOpcode.NOP, 0xa8).post());
    }

    @Test
    void shouldRefuseNoSegmentsAndMoreThanWerePosted() {
        assertBadOperation("DS 0", qp -> qp.start(WqeOpcode.NOP).segments(0).post());
        assertBadOperation(
                "DS 5, but 1 blocks",
                qp -> qp.start(WqeOpcode.NOP).patch(4, qp.state.qpn << 8 | 5).post());
    }

    @Test
    void shouldRefuseOpcodesOfOtherServices() {
        for (int opcode :
                new int[] {WqeOpcode.SET_PSV, WqeOpcode.LSO, WqeOpcode.BIND_MW, 0x7f, 0xff}) {
            assertBadOperation("is not one of an RC QP", qp -> qp.start(opcode).post());
        }
    }

    @Test
    void shouldRefuseWqesThatEndBeforeTheirSegments() {
        assertBadOperation("no remote address", qp -> qp.start(WqeOpcode.RDMA_WRITE).post());
        assertBadOperation(
                "no atomic segment", qp -> qp.start(WqeOpcode.ATOMIC_CS).remote(0, 0).post());
    }

    @Test
    void shouldRefuseReservedBitsOfTheRemoteAddress() {
        assertBadOperation(
                "in the remote address segment",
                qp -> qp.start(WqeOpcode.RDMA_WRITE).remote(0, 0).patch(28, 1).post());
    }

    @Test
    void shouldRefuseInlineDataThatPassesTheEnd() {
        assertBadOperation(
                "0x20 bytes inline, but DS ends after 0xc",
                qp -> qp.start(WqeOpcode.SEND).inline(new byte[12]).patch(16, 1 << 31 | 32).post());
    }

    @Test
    void shouldRefuseInlineDataToReadInto() {
        assertBadOperation(
                "inline data with opcode 0x10",
                qp -> qp.start(WqeOpcode.RDMA_READ).remote(0, 0).inline(new byte[8]).post());
    }

    @Test
    void shouldRefuseAtomicsThatDoNotReturnEightBytes() {
        assertRefused(
                "LOCAL_LENGTH_ERR",
                "returns 8 bytes, not 16",
                qp ->
                        qp.start(WqeOpcode.ATOMIC_FA)
                                .remote(0, 0)
                                .atomic(0, 0)
                                .sge(qp.node.buffer(64), 0, 16)
                                .post());
    }

    @Test
    void shouldPrintTheWqeDecoded() {
        assertBadOperation(
                "WQE RDMA_WRITE(0x8) index=1",
                qp -> qp.start(WqeOpcode.RDMA_WRITE).remote(0x1234, 7).patch(28, 1).post());
    }

    @Test
    void shouldRefuseReadsOfAQpThatMayNotSendAny() {
        assertBadOperation(
                "log_sra_max",
                qp -> {
                    qp.state.maxOutgoingReads = 0;
                    qp.start(WqeOpcode.RDMA_READ).remote(0, 0).post();
                });
    }
}
