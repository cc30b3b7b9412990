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

/** Receives that several QPs share, over RC and over XRC. */
final class SharedReceiveTest {
    private static final int XRCD = 3;

    private final Arena arena = Arena.ofConfined();
    private final Wire wire = new Wire();
    private long nanos = 1;
    private Node a;
    private Node b;

    @BeforeEach
    void makePorts() {
        a = new Node(arena, wire, () -> nanos);
        b = new Node(arena, wire, () -> nanos);
        wire.setLid(a.engine, 1);
        wire.setLid(b.engine, 2);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private void run() {
        for (int i = 0; i < 200; i++) {
            a.engine.poll();
            b.engine.poll();
        }
    }

    private TestQp qp(Service service, Node node, int userIndex) {
        return new TestQp(service, node, node.cq(5), node.cq(5), userIndex);
    }

    private static void connect(TestQp left, TestQp right) {
        left.state.remoteQpn = right.state.qpn;
        right.state.remoteQpn = left.state.qpn;
        left.state.remoteLid = 2;
        right.state.remoteLid = 1;
        left.to(State.INIT).to(State.RTR).to(State.RTS);
        right.to(State.INIT).to(State.RTR).to(State.RTS);
    }

    private static void send(TestQp qp, int value) {
        qp.start(WqeOpcode.SEND).inline(new byte[] {(byte) value}).post().ring();
    }

    @Test
    void shouldConsumeInTheOrderOfTheLinks() {
        TestSrq srq = new TestSrq(b, 2);
        Node.Buffer buffer = b.buffer(256);
        TestQp left = qp(Service.RC, a, 1);
        TestQp right = qp(Service.RC, b, 2);
        right.state.srq = srq.state;
        connect(left, right);
        for (int i = 0; i < 3; i++) {
            assertThat(srq.receive(buffer, i * 8L, 8)).isEqualTo(i);
        }

        for (int value = 1; value <= 3; value++) {
            send(left, value);
        }
        run();
        assertThat(right.receiveCq.drain())
                .containsExactly("0 RESP_SEND", "1 RESP_SEND", "2 RESP_SEND");
        srq.free(2);
        srq.free(0);
        srq.free(1);
        assertThat(srq.receive(buffer, 64, 8)).as("the last of the list was free").isEqualTo(3);
        assertThat(srq.receive(buffer, 72, 8)).isEqualTo(2);
        assertThat(srq.receive(buffer, 80, 8)).isEqualTo(0);
        for (int value = 4; value <= 6; value++) {
            send(left, value);
        }
        run();

        assertThat(right.receiveCq.drain())
                .containsExactly("3 RESP_SEND", "2 RESP_SEND", "0 RESP_SEND");
        assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 16)).isEqualTo((byte) 3);
        assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 72)).isEqualTo((byte) 5);
        assertThat(srq.state.consumed()).isEqualTo(6);
    }

    @Test
    void shouldLetTheSenderWaitWhileItIsEmpty() {
        TestSrq srq = new TestSrq(b, 2);
        TestQp left = qp(Service.RC, a, 1);
        TestQp right = qp(Service.RC, b, 2);
        right.state.srq = srq.state;
        connect(left, right);

        send(left, 1);
        run();
        assertThat(left.sendCq.drain()).isEmpty();

        srq.receive(b.buffer(64), 0, 8);
        nanos += 1_000_000_000L;
        run();
        assertThat(left.sendCq.drain()).containsExactly("0 SEND");
        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND");
    }

    @Test
    void shouldCarryTheQpsUserIndexOrTheSrqNumberOfOldDrivers() {
        TestSrq srq = new TestSrq(b, 2);
        TestQp left = qp(Service.RC, a, 1);
        TestQp right = qp(Service.RC, b, 0);
        TestQp otherLeft = qp(Service.RC, a, 1);
        TestQp old = qp(Service.RC, b, SrqState.NO_USER_INDEX);
        right.state.srq = srq.state;
        old.state.srq = srq.state;
        connect(left, right);
        connect(otherLeft, old);
        srq.receive(b.buffer(64), 0, 8);
        srq.receive(b.buffer(64), 0, 8);

        send(left, 1);
        send(otherLeft, 2);
        run();

        assertThat(BigEndian.getInt(right.receiveCq.ring, right.receiveCq.at(0) + 32)).isZero();
        assertThat(BigEndian.getInt(old.receiveCq.ring, old.receiveCq.at(0) + 32))
                .isEqualTo(srq.state.number());
    }

    @Test
    void shouldTellOnceWhenFewerThanTheLimitAreLeft() {
        TestSrq srq = new TestSrq(b, 3);
        TestQp left = qp(Service.RC, a, 1);
        TestQp right = qp(Service.RC, b, 2);
        right.state.srq = srq.state;
        connect(left, right);
        for (int i = 0; i < 4; i++) {
            srq.receive(b.buffer(64), 0, 8);
        }
        b.engine.armLimit(srq.state, 3);
        assertThat(srq.state.limit()).isEqualTo(3);
        b.events.clear();

        send(left, 1);
        run();
        assertThat(b.events).doesNotContain("limit of " + srq.state);
        send(left, 2);
        send(left, 3);
        run();

        assertThat(b.events).containsOnlyOnce("limit of " + srq.state);
        assertThat(srq.state.limit()).as("disarmed").isZero();

        b.events.clear();
        b.engine.armLimit(srq.state, 2);
        assertThat(b.events).as("one is left").containsExactly("limit of " + srq.state);
    }

    @Test
    void shouldKeepAWqeForTheMessageThatBeganToFillIt() {
        TestSrq srq = new TestSrq(b, 2);
        Node.Buffer large = b.buffer(2 << 20);
        TestQp left = qp(Service.RC, a, 1);
        TestQp right = qp(Service.RC, b, 2);
        TestQp otherLeft = qp(Service.RC, a, 3);
        TestQp otherRight = qp(Service.RC, b, 4);
        right.state.srq = srq.state;
        otherRight.state.srq = srq.state;
        connect(left, right);
        connect(otherLeft, otherRight);
        srq.receive(large, 0, 1 << 20);
        srq.receive(large, 1 << 20, 1 << 20);
        Node.Buffer from = a.buffer(1 << 20);
        from.segment().fill((byte) 7);

        left.start(WqeOpcode.SEND).sge(from, 0, 1 << 20).post().ring();
        send(otherLeft, 9);
        run();

        assertThat(right.receiveCq.drain()).containsExactly("0 RESP_SEND");
        assertThat(otherRight.receiveCq.drain()).containsExactly("1 RESP_SEND");
        assertThat(large.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        assertThat(large.segment().get(ValueLayout.JAVA_BYTE, 1 << 20)).isEqualTo((byte) 9);
    }

    @Test
    void shouldLeaveReceivesToTheOthersWhenAQpFails() {
        TestSrq srq = new TestSrq(b, 2);
        TestQp left = qp(Service.RC, a, 1);
        TestQp right = qp(Service.RC, b, 2);
        right.state.srq = srq.state;
        connect(left, right);
        srq.receive(b.buffer(64), 0, 8);

        right.to(State.ERR);
        run();

        assertThat(right.receiveCq.drain()).isEmpty();
        assertThat(b.events).contains("SRQ_LAST_WQE of " + right.state);
        assertThat(srq.state.consumed()).isZero();
    }

    @Test
    void shouldDeliverXrcToTheQueueThatTheWqeNames() {
        TestCq cq = b.cq(4);
        TestSrq first = new TestSrq(b, 2, Node.PD, XRCD, 0x51, cq);
        TestSrq second = new TestSrq(b, 2, Node.PD, XRCD, 0x52, cq);
        TestQp left = qp(Service.XRC, a, 1);
        TestQp target = qp(Service.XRC, b, 2);
        target.state.xrcd = XRCD;
        connect(left, target);
        Node.Buffer buffer = b.buffer(64);
        first.receive(buffer, 0, 8);
        second.receive(buffer, 8, 8);

        left.start(WqeOpcode.SEND).xrc(second.state.number()).inline(new byte[] {9}).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 SEND");
        assertThat(BigEndian.getInt(cq.ring, cq.at(0) + 32)).isEqualTo(0x52);
        TestCq.Cqe cqe = cq.next();
        assertThat(cqe.opcode()).isEqualTo(CqeOpcode.RESP_SEND);
        assertThat(cqe.qpn()).isEqualTo(target.state.qpn);
        assertThat(buffer.segment().get(ValueLayout.JAVA_BYTE, 8)).isEqualTo((byte) 9);
        assertThat(target.receiveCq.drain()).isEmpty();
    }

    @Test
    void shouldGiveXrcInitiatorsTheRightsOfTheQueuesPd() {
        int pd = 0x77;
        TestCq cq = b.cq(4);
        TestSrq srq = new TestSrq(b, 2, pd, XRCD, 0x51, cq);
        TestQp left = qp(Service.XRC, a, 1);
        TestQp target = qp(Service.XRC, b, 2);
        target.state.xrcd = XRCD;
        connect(left, target);
        int all =
                MkeyState.LOCAL_READ
                        | MkeyState.LOCAL_WRITE
                        | MkeyState.REMOTE_READ
                        | MkeyState.REMOTE_WRITE
                        | MkeyState.ATOMIC;
        Node.Buffer remote = b.buffer(64, all, pd);
        Node.Buffer local = a.buffer(64);
        BigEndian.putLong(remote.segment(), 8, 5);

        left.start(WqeOpcode.RDMA_WRITE)
                .xrc(srq.state.number())
                .remote(remote, 0)
                .inline(new byte[] {4})
                .post();
        left.start(WqeOpcode.RDMA_READ)
                .xrc(srq.state.number())
                .remote(remote, 0)
                .sge(local, 0, 8)
                .post()
                .ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 RDMA_WRITE", "1 RDMA_READ");
        assertThat(local.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 4);
    }

    @Test
    void shouldRefuseAQueueOfAnotherXrcDomain() {
        TestSrq srq = new TestSrq(b, 2, Node.PD, XRCD + 1, 0x51, b.cq(4));
        TestQp left = qp(Service.XRC, a, 1);
        TestQp target = qp(Service.XRC, b, 2);
        target.state.xrcd = XRCD;
        connect(left, target);
        srq.receive(b.buffer(64), 0, 8);

        left.start(WqeOpcode.SEND).xrc(srq.state.number()).inline(new byte[] {9}).post().ring();
        run();

        assertThat(left.sendCq.drain()).containsExactly("0 REMOTE_INVAL_REQ_ERR");
        assertThat(target.state.state()).isEqualTo(State.ERR);
    }
}
