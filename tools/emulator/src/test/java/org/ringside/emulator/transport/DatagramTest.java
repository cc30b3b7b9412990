package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.mlx5.layout.CqeOpcode;
import org.ringside.mlx5.layout.WqeOpcode;

/** Unreliable datagrams between two InfiniBand ports. */
final class DatagramTest {
    private static final int QKEY = 0x1111_1111;
    private static final long PREFIX = 0xfe80L << 48;
    private static final byte[] TEXT = "datagram".getBytes(StandardCharsets.UTF_8);

    private final Arena arena = Arena.ofConfined();
    private final Wire wire = new Wire();
    private Node a;
    private Node b;
    private TestQp left;
    private TestQp right;

    @BeforeEach
    void makePorts() {
        a = new Node(arena, wire, () -> 1);
        b = new Node(arena, wire, () -> 1);
        wire.setLid(a.engine, 1);
        wire.setLid(b.engine, 2);
        wire.setGid(a.engine, 0, PREFIX, 0xa);
        wire.setGid(b.engine, 0, PREFIX, 0xb);
        left = ready(Service.UD, a);
        right = ready(Service.UD, b);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private static TestQp ready(Service service, Node node) {
        TestQp qp = new TestQp(service, node, node.cq(4), node.cq(4), 7);
        qp.state.qkey = QKEY;
        qp.state.mtu = 4096;
        qp.state.logMaxMessage = 12;
        return qp.to(State.INIT).to(State.RTR).to(State.RTS);
    }

    private void run() {
        for (int i = 0; i < 20; i++) {
            a.engine.poll();
            b.engine.poll();
        }
    }

    private static String text(Node.Buffer buffer, long at) {
        byte[] bytes = new byte[TEXT.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = buffer.segment().get(ValueLayout.JAVA_BYTE, at + i);
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int word(TestQp qp, int at) {
        return BigEndian.getInt(qp.receiveCq.ring, qp.receiveCq.at(0) + at);
    }

    @Test
    void shouldLeaveRoomForTheGrhBeforeTheData() {
        Node.Buffer buffer = b.buffer(256);
        right.receive(buffer, 0, 256);

        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).inline(TEXT).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND");
        assertThat(text(buffer, 40)).isEqualTo("datagram");
        assertThat(word(right, 44)).as("bytes").isEqualTo(40 + TEXT.length);
        assertThat(word(right, 24)).as("GRH, SL, QPN").isEqualTo(left.state.qpn);
        assertThat(word(right, 20)).as("LID").isEqualTo(1);
        assertThat(word(right, 36)).as("P_Key").isEqualTo(0xffff);
        assertThat(word(right, 32)).as("user index").isEqualTo(7);
        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND");
    }

    @Test
    void shouldWriteTheGrhOfAGlobalRoute() {
        Node.Buffer buffer = b.buffer(256);
        right.receive(buffer, 0, 256);

        left.start(WqeOpcode.SEND)
                .to(2, right.state.qpn, QKEY)
                .grh(0, 0x12345, 0x67, 9, PREFIX, 0xb)
                .inline(TEXT)
                .post()
                .ring();
        run();

        assertThat(BigEndian.getInt(buffer.segment(), 0)).isEqualTo(0x66712345);
        assertThat(BigEndian.getInt(buffer.segment(), 4)).isEqualTo(32 << 16 | 0x1b << 8 | 9);
        assertThat(BigEndian.getLong(buffer.segment(), 8)).isEqualTo(PREFIX);
        assertThat(BigEndian.getLong(buffer.segment(), 16)).isEqualTo(0xa);
        assertThat(BigEndian.getLong(buffer.segment(), 24)).isEqualTo(PREFIX);
        assertThat(BigEndian.getLong(buffer.segment(), 32)).isEqualTo(0xb);
        assertThat(word(right, 24) >>> 28).as("GRH is there").isEqualTo(1);
        assertThat(text(buffer, 40)).isEqualTo("datagram");
    }

    @Test
    void shouldCarryImmediateInPlaceOfThePkey() {
        right.receive(b.buffer(64), 0, 64);

        left.start(WqeOpcode.SEND_IMM)
                .imm(0xcafe_f00d)
                .to(2, right.state.qpn, QKEY)
                .inline(TEXT)
                .post()
                .ring();
        run();

        TestCq.Cqe cqe = right.receiveCq.next();
        assertThat(cqe.opcode()).isEqualTo(CqeOpcode.RESP_SEND_IMM);
        assertThat(cqe.imm()).isEqualTo(0xcafe_f00d);
    }

    @Test
    void shouldDropAndCountAWrongQkey() {
        right.receive(b.buffer(64), 0, 64);

        left.start(WqeOpcode.SEND).to(2, right.state.qpn, 0x2222).inline(TEXT).post().ring();
        run();

        assertThat(left.sendCq.drain()).as("nobody tells the sender").containsExactly("0 SEND");
        assertThat(right.receiveCq.drain()).isEmpty();
        assertThat(b.engine.badQkeys()).isEqualTo(1);
        assertThat(right.state.state()).isEqualTo(State.RTS);
    }

    @Test
    void shouldSendItsOwnQkeyForAPrivilegedOne() {
        right.receive(b.buffer(64), 0, 64);

        left.start(WqeOpcode.SEND).to(2, right.state.qpn, 0x8000_0000).inline(TEXT).post().ring();
        run();

        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND");
    }

    @Test
    void shouldDropWhatFindsNoReceiveNoPortNoPartition() {
        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).inline(TEXT).post();
        left.start(WqeOpcode.SEND).to(3, right.state.qpn, QKEY).inline(TEXT).post().ring();
        run();
        right.receive(b.buffer(64), 0, 64);
        right.state.pkey = 0x8001;
        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).inline(TEXT).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND", "2 SEND", "4 SEND");
        assertThat(right.receiveCq.drain()).isEmpty();
    }

    @Test
    void shouldReachQp1ByItsNumberOnTheWire() {
        TestQp from = ready(Service.GSI, a);
        TestQp to = ready(Service.GSI, b);
        to.receive(b.buffer(512), 0, 512);

        from.start(WqeOpcode.SEND).to(2, 1, 0x8001_0000).inline(TEXT).post().ring();
        from.state.sourceQpn = 1;
        run();

        assertThat(to.receiveCq.state.producerIndex()).isEqualTo(1);
        assertThat(word(to, 24)).as("source QPN").isEqualTo(1);
        assertThat(to.receiveCq.next().qpn()).as("the QP's own number").isEqualTo(to.state.qpn);
    }

    @Test
    void shouldStopOnlyTheSendQueueForAMessageLongerThanThePortTakes() {
        Node.Buffer buffer = a.buffer(0x2000);
        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).sge(buffer, 0, 4097).post();
        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).sge(buffer, 0, 8).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 LOCAL_LENGTH_ERR", "2 WR_FLUSH_ERR");
        assertThat(left.state.state()).isEqualTo(State.SQE);

        left.to(State.RTS);
        right.receive(b.buffer(8192), 0, 8192);
        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).sge(buffer, 0, 4096).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("4 SEND");
        assertThat(right.receiveCq.next().bytes()).isEqualTo(40 + 4096);
    }

    @Test
    void shouldFailTheReceiverWhoseBufferIsTooShort() {
        right.receive(b.buffer(64), 0, 40 + 4);

        left.start(WqeOpcode.SEND).to(2, right.state.qpn, QKEY).inline(TEXT).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND");
        assertThat(right.receiveCq.drain()).containsExactly("0 LOCAL_LENGTH_ERR");
    }

    @Test
    void shouldRefuseWhatDatagramsCannot() {
        left.start(WqeOpcode.RDMA_READ)
                .to(2, right.state.qpn, QKEY)
                .remote(0x1000, 1)
                .sge(a.buffer(64), 0, 8)
                .post()
                .ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 LOCAL_QP_OP_ERR");
        assertThat(a.findings.getFirst()).contains("is not one of a UD QP");
    }

    @Test
    void shouldBeHeardByAllMembersOfAGroupButItself() {
        long group = 0xff12L << 48;
        TestQp second = ready(Service.UD, a);
        for (TestQp member : new TestQp[] {left, second, right}) {
            member.node.engine.attach(member.state, group, 5);
            member.receive(member.node.buffer(64), 0, 64);
        }
        TestQp stranger = ready(Service.UD, b);
        stranger.receive(b.buffer(64), 0, 64);

        left.start(WqeOpcode.SEND)
                .to(0xc001, 0xff_ffff, QKEY)
                .grh(0, 0, 0, 1, group, 5)
                .inline(TEXT)
                .post()
                .ring();
        run();

        assertThat(second.receiveCq.drain()).containsExactly("0 RESP_SEND");
        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND");
        assertThat(left.receiveCq.drain()).isEmpty();
        assertThat(stranger.receiveCq.drain()).isEmpty();
        assertThat(b.engine.detach(right.state, group, 5)).isTrue();
        assertThat(b.engine.detach(right.state, group, 5)).isFalse();
    }
}
