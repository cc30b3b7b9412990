package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.WqeOpcode;

/** UC: as RC, but what nobody takes is lost, and its sender never hears of it. */
final class UnreliableConnectionTest {
    private final Arena arena = Arena.ofConfined();
    private final Wire wire = new Wire();
    private Node a;
    private Node b;
    private TestQp left;
    private TestQp right;

    @BeforeEach
    void connect() {
        a = new Node(arena, wire, () -> 1);
        b = new Node(arena, wire, () -> 1);
        wire.setLid(a.engine, 1);
        wire.setLid(b.engine, 2);
        left = new TestQp(Service.UC, a, a.cq(5), a.cq(5), 1);
        right = new TestQp(Service.UC, b, b.cq(5), b.cq(5), 2);
        left.state.remoteQpn = right.state.qpn;
        right.state.remoteQpn = left.state.qpn;
        left.state.remoteLid = 2;
        right.state.remoteLid = 1;
        left.to(State.INIT).to(State.RTR).to(State.RTS);
        right.to(State.INIT).to(State.RTR).to(State.RTS);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private void run() {
        for (int i = 0; i < 50; i++) {
            a.engine.poll();
            b.engine.poll();
        }
    }

    @Test
    void shouldSendAndWriteWithImmediate() {
        Node.Buffer from = a.buffer(0x2000);
        Node.Buffer to = b.buffer(0x2000);
        from.segment().fill((byte) 0x5a);
        right.receive(to, 0, 0x1800);
        right.receive(to, 0, 0);

        left.start(WqeOpcode.SEND).sge(from, 0, 0x1800).post();
        left.start(WqeOpcode.RDMA_WRITE_IMM)
                .imm(3)
                .remote(to, 0x1ff0)
                .sge(from, 0, 16)
                .post()
                .ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND", "1 RDMA_WRITE_IMM");
        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND", "1 RESP_WR_IMM");
        assertThat(to.segment().get(ValueLayout.JAVA_BYTE, 0x17ff)).isEqualTo((byte) 0x5a);
        assertThat(to.segment().get(ValueLayout.JAVA_BYTE, 0x1800)).isZero();
        assertThat(to.segment().get(ValueLayout.JAVA_BYTE, 0x1fff)).isEqualTo((byte) 0x5a);
    }

    @Test
    void shouldLoseASendWithoutReceiveAndGoOn() {
        Node.Buffer to = b.buffer(64);
        left.start(WqeOpcode.SEND).inline(new byte[] {1}).post().ring();
        run();
        right.receive(to, 0, 64);
        left.start(WqeOpcode.SEND).inline(new byte[] {2}).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND", "1 SEND");
        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND");
        assertThat(to.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
    }

    @Test
    void shouldTakeUpAgainAfterAGapOfPsns() {
        right.receive(b.buffer(64), 0, 64);
        left.state.nextSendPsn = 0x777;

        left.start(WqeOpcode.SEND).inline(new byte[] {1}).post().ring();
        run();

        assertThat(right.receiveCq.next().opcode()).isEqualTo(CqeOpcode.RESP_SEND);
        assertThat(right.state.nextReceivePsn).isEqualTo(0x778);
    }

    @Test
    void shouldDropAWriteThatIsNotAllowed() {
        Node.Buffer to = b.buffer(64, MkeyState.LOCAL_READ | MkeyState.LOCAL_WRITE);

        left.start(WqeOpcode.RDMA_WRITE).remote(to, 0).inline(new byte[] {1}).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 RDMA_WRITE");
        assertThat(to.segment().get(ValueLayout.JAVA_BYTE, 0)).isZero();
        assertThat(right.state.state()).isEqualTo(State.RTS);
        assertThat(left.state.state()).isEqualTo(State.RTS);
    }

    @Test
    void shouldRefuseReadsAndStopOnlyTheSendQueue() {
        Node.Buffer from = b.buffer(64);
        left.start(WqeOpcode.RDMA_READ).remote(from, 0).sge(a.buffer(64), 0, 8).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 LOCAL_QP_OP_ERR");
        assertThat(left.state.state()).isEqualTo(State.SQE);
    }

    @Test
    void shouldNotTalkToAQpOfAnotherService() {
        right = new TestQp(Service.RC, b, b.cq(5), b.cq(5), 2);
        right.state.remoteQpn = left.state.qpn;
        right.state.remoteLid = 1;
        right.to(State.INIT).to(State.RTR);
        left.state.remoteQpn = right.state.qpn;
        right.receive(b.buffer(64), 0, 64);

        left.start(WqeOpcode.SEND).inline(new byte[] {1}).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND");
        assertThat(right.receiveCq.drain()).isEmpty();
    }
}
