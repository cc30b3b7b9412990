package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** States of a QP and what each allows. */
class QpStateTest extends KitTest {
    @Test
    void shouldGoThroughAllStates() throws Exception {
        try (Connection c = Connection.unconnected(topology, Connection.BUFFER, EndOptions.USUAL)) {
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.RESET);
            c.left.qp.toInit(new QpTransitions.ToInit(1, 0, End.ALL));
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.INIT);
            Endpoint peer = c.right.qp.endpoint();
            c.left.qp.toRtr(
                    new QpTransitions.ToRtr(
                            AddressVector.to(peer, 0),
                            Mtu.MTU_1024,
                            peer.qpNumber(),
                            peer.psn(),
                            4,
                            12));
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.RTR);
            c.left.qp.toRts(new QpTransitions.ToRts(1, 14, 7, 7, 4));
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.RTS);
            c.left.qp.toErr();
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.ERR);
            c.left.qp.toReset();
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.RESET);
        }
    }

    @Test
    void shouldRefuseTransitionsOutOfOrder() throws Exception {
        try (Connection c = Connection.unconnected(topology, Connection.BUFFER, EndOptions.USUAL)) {
            assertThatThrownBy(() -> c.left.qp.toRts(new QpTransitions.ToRts(1, 14, 7, 7, 4)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("state RESET")
                    .hasMessageContaining("RTS");
            assertThatThrownBy(c.left.qp::toErr).isInstanceOf(VerbsException.class);
            c.left.qp.toInit(new QpTransitions.ToInit(1, 0, End.ALL));
            assertThatThrownBy(() -> c.left.qp.toInit(new QpTransitions.ToInit(1, 0, End.ALL)))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("state INIT");
        }
    }

    @Test
    void shouldRefusePostsThatTheStateDoesNotAllow() throws Exception {
        try (Connection c = Connection.unconnected(topology, Connection.BUFFER, EndOptions.USUAL)) {
            assertThat(c.left.qp.postRecv(1, c.left.lkey(), c.left.at(0), 64))
                    .isEqualTo(PostResult.WRONG_STATE);
            assertThat(send(c.left)).isEqualTo(PostResult.WRONG_STATE);
            c.left.qp.toInit(new QpTransitions.ToInit(1, 0, End.ALL));
            assertThat(send(c.left)).isEqualTo(PostResult.WRONG_STATE);
            assertThat(c.left.qp.postRecv(1, c.left.lkey(), c.left.at(0), 64))
                    .isEqualTo(PostResult.POSTED);
        }
    }

    @Test
    void shouldFlushWhenTakenToErr() throws Exception {
        try (Connection c = connect()) {
            c.left.postRecv(1, 0, 64);
            c.left.postRecv(2, 0, 64);
            c.left.qp.toErr();

            for (int i = 1; i <= 2; i++) {
                WorkCompletions flushed = c.left.next();
                assertThat(flushed.wrId(0)).isEqualTo(i);
                assertThat(flushed.status(0)).isEqualTo(WcStatus.WR_FLUSH_ERR);
            }
        }
    }

    @Test
    void shouldFlushWhatIsPostedInErr() throws Exception {
        try (Connection c = connect()) {
            c.left.qp.toErr();
            assertThat(send(c.left)).isEqualTo(PostResult.POSTED);
            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.WR_FLUSH_ERR);
            c.left.postRecv(77, 0, 64);
            WorkCompletions flushed = c.left.next();
            assertThat(flushed.wrId(0)).isEqualTo(77);
            assertThat(flushed.status(0)).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
    }

    @Test
    void shouldForgetAllInReset() throws Exception {
        try (Connection c = connect()) {
            c.left.postRecv(1, 0, 64);
            c.left.qp.toErr();
            c.left.qp.toReset();
            c.left.expectNothing();
        }
    }

    @Test
    void shouldConnectAgainAfterAnError() throws Exception {
        try (Connection c = connect()) {
            for (int round = 0; round < 5; round++) {
                c.left.qp.postWrite(
                        1,
                        SendFlags.SIGNALED,
                        c.left.lkey(),
                        c.left.at(0),
                        64,
                        0xbad00,
                        c.right.at(0));
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.REM_ACCESS_ERR);
                c.left.qp.toReset();
                c.right.qp.toReset();
                c.connect(new ConnectOptions());

                Bytes.fill(c.left.memory, 0, 64, round);
                c.right.postRecv(5, 0, 64);
                assertThat(send(c.left)).isEqualTo(PostResult.POSTED);
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                assertThat(c.right.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                Bytes.expect(c.right.memory, 0, 64, round);
            }
        }
    }

    @Test
    void shouldWorkAtEveryMtu() throws Exception {
        for (Mtu mtu : Mtu.values()) {
            try (Connection c =
                    Connection.of(topology, EndOptions.USUAL, new ConnectOptions().mtu(mtu))) {
                Bytes.fill(c.left.memory, 0, 10_000, mtu.code());
                c.right.postRecv(1, 0, 10_000);
                c.left.qp.postSend(1, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), 10_000);
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
                assertThat(c.right.next().byteLength(0)).isEqualTo(10_000);
                Bytes.expect(c.right.memory, 0, 10_000, mtu.code());
            }
        }
    }

    private static PostResult send(End end) {
        return end.qp.postSend(1, SendFlags.SIGNALED, end.lkey(), end.at(0), 64);
    }
}
