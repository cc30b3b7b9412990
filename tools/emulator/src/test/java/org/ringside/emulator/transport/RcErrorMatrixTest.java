package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * What both sides see when something is wrong: completion status, states, events, and that
 * everything else is flushed in order.
 */
class RcErrorMatrixTest {
    private static final String FLUSHED = "WR_FLUSH_ERR";

    /** The left QP fails with its first WQE; two more are posted behind it. */
    private static void assertRequesterFails(Rig rig, String syndrome) {
        int behind = rig.left.sendIndex();
        rig.left.start(WqeOpcode.NOP, 0).post();
        rig.left.start(WqeOpcode.SEND).post().ring();
        rig.run();
        assertThat(rig.left.sendCq.drain())
                .containsExactly(
                        "0 " + syndrome, behind + " " + FLUSHED, behind + 1 + " " + FLUSHED);
        assertThat(rig.left.state.state()).isEqualTo(State.ERR);
        assertThat(rig.a.findings.size() + rig.b.findings.size()).isPositive();
    }

    private static void assertResponderFails(Rig rig, List<String> receives, String... events) {
        assertThat(rig.right.state.state()).isEqualTo(State.ERR);
        assertThat(rig.right.receiveCq.drain()).isEqualTo(receives);
        assertThat(rig.b.events)
                .containsExactly(
                        List.of(events).stream()
                                .map(event -> event + " of " + rig.right.state)
                                .toArray(String[]::new));
    }

    private static void assertResponderUnharmed(Rig rig) {
        assertThat(rig.right.state.state()).isEqualTo(State.RTS);
        assertThat(rig.right.receiveCq.drain()).isEmpty();
        assertThat(rig.b.events).isEmpty();
    }

    private static Rig rigWithReceives(Topology topology, int count) {
        Rig rig = new Rig(topology);
        Node.Buffer to = rig.b.buffer(64);
        for (int i = 0; i < count; i++) {
            rig.right.receive(to, 0, 64);
        }
        return rig;
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailLocallyOnUnknownLkey(Topology topology) {
        try (Rig rig = rigWithReceives(topology, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.SEND).sge(from.key() + 0x100, from.iova(), 8).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldFailLocallyOnOldVariantOfLkey() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.SEND).sge(from.key() ^ 1, from.iova(), 8).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldFailLocallyOnLkeyOfAnotherPd() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 2)) {
            Node.Buffer from = rig.a.buffer(64, MkeyState.LOCAL_READ, Node.PD + 1);
            rig.left.start(WqeOpcode.SEND).sge(from, 0, 8).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailLocallyBeyondTheEnd(Topology topology) {
        try (Rig rig = rigWithReceives(topology, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.SEND).sge(from, 57, 8).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldFailLocallyWhenTheAddressWraps() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.SEND).sge(from.key(), -8, 16).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldTakeByteCountZeroAsTwoGigabytes() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.SEND).sge(from, 0, 0).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertThat(rig.a.findings.getFirst()).contains("byte count 0 means 2^31");
        }
    }

    @Test
    void shouldFailLocallyWhenReadAnswersMayNotBeWritten() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer into = rig.a.buffer(64, MkeyState.LOCAL_READ);
            Node.Buffer from = rig.b.buffer(64);
            rig.left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(into, 0, 8).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldFailLocallyOnMessagesLongerThanTheQpAllows() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.logMaxMessage = 10;
            Node.Buffer from = rig.a.buffer(4096);
            Node.Buffer to = rig.b.buffer(4096);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(to, 0).sge(from, 0, 1025).post();
            assertRequesterFails(rig, "LOCAL_LENGTH_ERR");
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldFailLocallyWhenGatherLeavesMappedMemory() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(4096);
            Node.Buffer to = rig.b.buffer(4096);
            rig.a.memory.unmap(from.iova());
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(to, 0).sge(from, 0, 64).post();
            assertRequesterFails(rig, "LOCAL_PROT_ERR");
            assertThat(rig.a.findings.getFirst()).contains("is not mapped");
            assertResponderUnharmed(rig);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDenyUnknownRkey(Topology topology) {
        try (Rig rig = rigWithReceives(topology, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(0x1000, 0x7777_7700).sge(from, 0, 8).post();
            assertRequesterFails(rig, "REMOTE_ACCESS_ERR");
            assertResponderFails(rig, List.of("0 " + FLUSHED, "1 " + FLUSHED), "WQ_ACCESS_ERROR");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LOOPBACK", "UNMAPPED_MEMORY"})
    void shouldDenyWhatTheKeyDoesNotAllow(Topology topology) {
        record Case(int opcode, int missing) {}
        for (Case one :
                List.of(
                        new Case(WqeOpcode.RDMA_WRITE, MkeyState.REMOTE_WRITE),
                        new Case(WqeOpcode.RDMA_READ, MkeyState.REMOTE_READ),
                        new Case(WqeOpcode.ATOMIC_FA, MkeyState.ATOMIC))) {
            try (Rig rig = rigWithReceives(topology, 1)) {
                Node.Buffer local = rig.a.buffer(64);
                Node.Buffer remote = rig.b.buffer(64, 0x1f & ~one.missing);
                rig.left.start(one.opcode).remote(remote, 0);
                if (one.opcode == WqeOpcode.ATOMIC_FA) {
                    rig.left.atomic(1, 0);
                }
                rig.left.sge(local, 0, 8).post();
                assertRequesterFails(rig, "REMOTE_ACCESS_ERR");
                assertResponderFails(rig, List.of("0 " + FLUSHED), "WQ_ACCESS_ERROR");
            }
        }
    }

    @Test
    void shouldRefuseWhatTheQpDoesNotAllow() {
        for (int opcode :
                new int[] {WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_READ, WqeOpcode.ATOMIC_CS}) {
            try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 1)) {
                rig.right.state.remoteRead = opcode != WqeOpcode.RDMA_READ;
                rig.right.state.remoteWrite = opcode != WqeOpcode.RDMA_WRITE;
                rig.right.state.remoteAtomic = opcode != WqeOpcode.ATOMIC_CS;
                Node.Buffer local = rig.a.buffer(64);
                Node.Buffer remote = rig.b.buffer(64);
                rig.left.start(opcode).remote(remote, 0);
                if (opcode == WqeOpcode.ATOMIC_CS) {
                    rig.left.atomic(1, 0);
                }
                rig.left.sge(local, 0, 8).post();
                assertRequesterFails(rig, "REMOTE_INVAL_REQ_ERR");
                assertResponderFails(rig, List.of("0 " + FLUSHED), "WQ_INVAL_REQ_ERROR");
            }
        }
    }

    @Test
    void shouldDenyRkeyOfAnotherPdAndRangesThatWrap() {
        record Case(int pd, long offset, int bytes) {}
        for (Case one :
                List.of(
                        new Case(Node.PD + 1, 0, 8),
                        new Case(Node.PD, -1, 8),
                        new Case(Node.PD, 60, 8),
                        new Case(Node.PD, 65, 1),
                        new Case(Node.PD, Long.MIN_VALUE, 8))) {
            try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
                Node.Buffer from = rig.a.buffer(64);
                Node.Buffer to = rig.b.buffer(64, 0x1f, one.pd);
                rig.left
                        .start(WqeOpcode.RDMA_WRITE)
                        .remote(to, one.offset)
                        .sge(from, 0, one.bytes)
                        .post();
                assertRequesterFails(rig, "REMOTE_ACCESS_ERR");
                assertResponderFails(rig, List.of(), "WQ_ACCESS_ERROR");
            }
        }
    }

    @Test
    void shouldDenyKeysBoundToAnotherQp() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(64);
            Node.Buffer to = rig.b.buffer(64);
            MkeyState bound =
                    MkeyState.paged(
                            0x9900,
                            Node.PD,
                            0x1f,
                            rig.right.state.qpn + 1,
                            to.iova(),
                            Node.pages(to.iova(), 64));
            rig.b.engine.add(bound);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(to.iova(), 0x9900).sge(from, 0, 8).post();
            assertRequesterFails(rig, "REMOTE_ACCESS_ERR");
            assertThat(rig.b.findings.getFirst()).contains("is bound to QP");
        }
    }

    @Test
    void shouldTellOfDeniedWriteImmediateByItsReceive() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 2)) {
            Node.Buffer from = rig.a.buffer(64);
            rig.left.start(WqeOpcode.RDMA_WRITE_IMM).remote(0, 0x7700).sge(from, 0, 8).post();
            assertRequesterFails(rig, "REMOTE_ACCESS_ERR");
            assertResponderFails(rig, List.of("0 LOCAL_ACCESS_ERR", "1 " + FLUSHED));
        }
    }

    @Test
    void shouldRefuseMisalignedAtomics() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer local = rig.a.buffer(64);
            Node.Buffer remote = rig.b.buffer(64);
            rig.left
                    .start(WqeOpcode.ATOMIC_FA)
                    .remote(remote, 4)
                    .atomic(1, 0)
                    .sge(local, 0, 8)
                    .post();
            assertRequesterFails(rig, "REMOTE_INVAL_REQ_ERR");
            assertResponderFails(rig, List.of(), "WQ_INVAL_REQ_ERROR");
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailBothSidesWhenTheReceiveIsTooShort(Topology topology) {
        try (Rig rig = rigWithReceives(topology, 2)) {
            Node.Buffer from = rig.a.buffer(128);
            rig.left.start(WqeOpcode.SEND).sge(from, 0, 65).post();
            assertRequesterFails(rig, "REMOTE_INVAL_REQ_ERR");
            assertResponderFails(rig, List.of("0 LOCAL_LENGTH_ERR", "1 " + FLUSHED));
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldFailBothSidesWhenTheReceiveHasABadLkey(Topology topology) {
        try (Rig rig = new Rig(topology)) {
            Node.Buffer from = rig.a.buffer(128);
            rig.right.receive(0x6600, 0x1000, 128);
            rig.right.receive(0x6600, 0x1000, 128);
            rig.left.start(WqeOpcode.SEND).sge(from, 0, 65).post();
            assertRequesterFails(rig, "REMOTE_OP_ERR");
            assertResponderFails(rig, List.of("0 LOCAL_PROT_ERR", "1 " + FLUSHED));
        }
    }

    @Test
    void shouldFailBothSidesWhenTheReceiveIsNotMapped() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            Node.Buffer from = rig.a.buffer(128);
            Node.Buffer to = rig.b.buffer(128);
            rig.right.receive(to, 0, 128);
            rig.b.memory.unmap(to.iova());
            rig.left.start(WqeOpcode.SEND).sge(from, 0, 65).post();
            assertRequesterFails(rig, "REMOTE_OP_ERR");
            assertResponderFails(rig, List.of("0 LOCAL_PROT_ERR"));
        }
    }

    @Test
    void shouldDenyRemoteMemoryThatIsNotMapped() {
        for (int opcode :
                new int[] {WqeOpcode.RDMA_WRITE, WqeOpcode.RDMA_READ, WqeOpcode.ATOMIC_FA}) {
            try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
                Node.Buffer local = rig.a.buffer(64);
                Node.Buffer remote = rig.b.buffer(64);
                rig.b.memory.unmap(remote.iova());
                rig.left.start(opcode).remote(remote, 0);
                if (opcode == WqeOpcode.ATOMIC_FA) {
                    rig.left.atomic(1, 0);
                }
                rig.left.sge(local, 0, 8).post();
                assertRequesterFails(rig, "REMOTE_ACCESS_ERR");
                assertResponderFails(rig, List.of(), "WQ_ACCESS_ERROR");
            }
        }
    }

    @Test
    void shouldRefuseMessagesInPacketsOfAnotherMtu() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 1)) {
            rig.left.state.mtu = 512;
            Node.Buffer from = rig.a.buffer(4096);
            Node.Buffer to = rig.b.buffer(4096);
            rig.left.start(WqeOpcode.RDMA_WRITE).remote(to, 0).sge(from, 0, 513).post();
            assertRequesterFails(rig, "REMOTE_INVAL_REQ_ERR");
            assertResponderFails(rig, List.of("0 " + FLUSHED), "WQ_INVAL_REQ_ERROR");
        }
    }

    @Test
    void shouldNotUnderstandAnswersInPacketsOfAnotherMtu() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.mtu = 512;
            Node.Buffer into = rig.a.buffer(4096);
            Node.Buffer from = rig.b.buffer(4096);
            rig.left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(into, 0, 513).post();
            int behind = rig.left.sendIndex();
            rig.left.ring();
            rig.run();
            assertThat(behind).isEqualTo(1);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 BAD_RESP_ERR");
            assertThat(rig.left.state.state()).isEqualTo(State.ERR);
            assertResponderUnharmed(rig);
        }
    }

    @Test
    void shouldRefuseMoreReadsThanTheResponderServes() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.right.state.maxIncomingReads = 1;
            Node.Buffer into = rig.a.buffer(64);
            Node.Buffer from = rig.b.buffer(64);
            from.segment().fill((byte) 9);
            rig.left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(into, 0, 8).post();
            rig.left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(into, 8, 8).post().ring();
            rig.run();
            assertThat(rig.left.sendCq.drain())
                    .containsExactly("0 RDMA_READ", "1 REMOTE_INVAL_REQ_ERR");
            assertThat(into.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 7))
                    .as("the READ before it ends well")
                    .isEqualTo((byte) 9);
            assertResponderFails(rig, List.of(), "WQ_INVAL_REQ_ERROR");
        }
    }

    @Test
    void shouldKeepReadsWithinTheRequestersDepth() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            rig.left.state.maxOutgoingReads = 2;
            rig.right.state.maxIncomingReads = 2;
            Node.Buffer into = rig.a.buffer(64);
            Node.Buffer from = rig.b.buffer(64);
            for (int i = 0; i < 20; i++) {
                rig.left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(into, 0, 8).post();
            }
            rig.left.ring();
            rig.run();
            assertThat(rig.left.sendCq.drain())
                    .hasSize(20)
                    .allMatch(text -> text.endsWith("RDMA_READ"));
            assertThat(rig.right.state.state()).isEqualTo(State.RTS);
        }
    }

    @Test
    void shouldFlushWhatIsPostedInErrorWithoutDoorbellForReceives() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 3)) {
            rig.right.to(State.ERR);
            rig.run();
            assertThat(rig.right.receiveCq.drain())
                    .containsExactly("0 " + FLUSHED, "1 " + FLUSHED, "2 " + FLUSHED);
            Node.Buffer to = rig.b.buffer(64);
            BigEndian.setRelease(rig.right.record, 0, 4); // As a receive that nobody tells of.
            rig.after(1_000_000);
            assertThat(rig.right.receiveCq.drain()).containsExactly("3 " + FLUSHED);
            rig.right.start(WqeOpcode.SEND, 0).sge(to, 0, 8).post().ring();
            rig.run();
            assertThat(rig.right.sendCq.drain()).containsExactly("0 " + FLUSHED);
            assertThat(rig.right.state.receiveCounter()).isEqualTo(4);
        }
    }

    @Test
    void shouldDropEverythingOnReset() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 3)) {
            rig.right.start(WqeOpcode.SEND).post().start(WqeOpcode.SEND).post();
            rig.right.to(State.RESET);
            rig.after(1_000_000_000L);
            assertThat(rig.right.receiveCq.drain()).isEmpty();
            assertThat(rig.right.sendCq.drain()).isEmpty();
            assertThat(rig.right.state.receiveCounter()).isZero();
            assertThat(rig.right.state.sendCounter()).isZero();
        }
    }

    @Test
    void shouldFlushManyWqesInOrderOverSeveralDutyCycles() {
        try (Rig rig = new Rig(Topology.LOOPBACK, 10)) {
            TestQp qp = new TestQp(rig.a, rig.left.sendCq, rig.left.receiveCq, 9, 9);
            qp.to(State.INIT).to(State.RTR).to(State.RTS);
            Node.Buffer buffer = rig.a.buffer(64);
            for (int i = 0; i < 300; i++) {
                qp.receive(buffer, 0, 8);
                qp.start(WqeOpcode.SEND, 0).sge(buffer, 0, 8).post();
            }
            qp.to(State.ERR);
            assertThat(rig.a.engine.poll()).isLessThanOrEqualTo(128);
            rig.run();
            String[] expected = new String[300];
            for (int i = 0; i < 300; i++) {
                expected[i] = i + " " + FLUSHED;
            }
            assertThat(rig.left.sendCq.drain()).containsExactly(expected);
            assertThat(rig.left.receiveCq.drain()).containsExactly(expected);
        }
    }

    @Test
    void shouldDrainAndStopInSqd() {
        try (Rig rig = rigWithReceives(Topology.TWO_FUNCTIONS, 3)) {
            rig.left.start(WqeOpcode.SEND).post().ring();
            rig.run();
            rig.left.state.notifyDrained = true;
            rig.left.to(State.SQD);
            rig.left.start(WqeOpcode.SEND).post().ring();
            rig.run();
            assertThat(rig.a.events).containsExactly("SQ_DRAINED of " + rig.left.state);
            assertThat(rig.left.sendCq.drain()).containsExactly("0 SEND");
            rig.left.to(State.RTS);
            rig.run();
            assertThat(rig.left.sendCq.drain()).containsExactly("1 SEND");
        }
    }

    @Test
    void shouldFailTheQpWhenItsRingsCannotBeRead() {
        try (Rig rig = new Rig(Topology.TWO_FUNCTIONS)) {
            long ring = rig.left.state.queues().pages().iova(0);
            rig.left.start(WqeOpcode.SEND).post();
            rig.a.memory.unmap(ring);
            rig.left.ring();
            rig.run();
            assertThat(rig.left.state.state()).isEqualTo(State.ERR);
            assertThat(rig.a.events).containsExactly("WQ_CATAS_ERROR of " + rig.left.state);
            int told = rig.a.findings.size();
            rig.after(1_000_000_000L);
            assertThat(rig.a.findings).as("told once").hasSize(told);
        }
    }
}
