package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.Access;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpState;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/**
 * Faults that a peer or an application can cause: the status at both ends, the state of both QPs,
 * and that nothing was written where it must not be (IBTA vol. 1, 9.9 and 10.8.3.1; statuses as
 * ConnectX gives them).
 */
class ErrorTest extends KitTest {
    @Test
    void shouldRefuseWriteWithBadRkey() throws Exception {
        try (Connection c = connect()) {
            write(c, 64, c.right.rkey() ^ 0x5500, c.right.at(0));
            expectRemoteAccessError(c);
        }
    }

    @Test
    void shouldRefuseWriteOutOfBounds() throws Exception {
        try (Connection c = connect()) {
            write(c, 64, c.right.rkey(), c.right.at(Connection.BUFFER - 63));
            expectRemoteAccessError(c);
            Bytes.expectZero(c.right.memory, Connection.BUFFER - 64, 64);
        }
    }

    @Test
    void shouldRefuseWriteThatWrapsAddresses() throws Exception {
        try (Connection c = connect()) {
            write(c, 64, c.right.rkey(), -8);
            expectRemoteAccessError(c);
        }
    }

    @Test
    void shouldRefuseWriteToRegionWithoutPermission() throws Exception {
        try (Connection c = connect();
                MemoryRegion readOnly =
                        c.right.pd.register(
                                c.right.memory,
                                EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_READ))) {
            write(c, 64, readOnly.rkey(), c.right.at(0));
            expectRemoteAccessError(c);
            Bytes.expectZero(c.right.memory, 0, 64);
        }
    }

    @Test
    void shouldRefuseReadFromRegionWithoutPermission() throws Exception {
        try (Connection c = connect();
                MemoryRegion writeOnly =
                        c.right.pd.register(
                                c.right.memory,
                                EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE))) {
            c.left.qp.postRead(
                    1,
                    SendFlags.SIGNALED,
                    c.left.lkey(),
                    c.left.at(0),
                    64,
                    writeOnly.rkey(),
                    c.right.at(0));
            expectRemoteAccessError(c);
            Bytes.expectZero(c.left.memory, 0, 64);
        }
    }

    @Test
    void shouldRefuseAtomicOnRegionWithoutPermission() throws Exception {
        try (Connection c = connect();
                MemoryRegion noAtomics =
                        c.right.pd.register(
                                c.right.memory,
                                EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE))) {
            fetchAdd(c, noAtomics.rkey(), c.right.at(0));
            expectRemoteAccessError(c);
            Bytes.expectZero(c.right.memory, 0, 8);
        }
    }

    @Test
    void shouldRefuseRegionOfAnotherDomain() throws Exception {
        try (Connection c = connect();
                ProtectionDomain other = c.right.context.createPd();
                MemoryRegion foreign = other.register(c.right.memory, End.ALL)) {
            write(c, 64, foreign.rkey(), c.right.at(0));
            expectRemoteAccessError(c);
            Bytes.expectZero(c.right.memory, 0, 64);
        }
    }

    /** A provider may refuse it at once; one that does not lets the responder do so. */
    @Test
    void shouldRefuseMisalignedAtomic() throws Exception {
        try (Connection c = connect()) {
            if (buildFetchAdd(c, c.right.rkey(), c.right.at(4)) == PostResult.POSTED) {
                assertThat(c.left.next().status(0)).isEqualTo(WcStatus.REM_INV_REQ_ERR);
            } else {
                c.left.expectNothing();
            }
            Bytes.expectZero(c.right.memory, 0, 16);
        }
    }

    @Test
    void shouldReportUseOfForeignLkeyWhereItWasPosted() throws Exception {
        Rxe.cannot(
                topology,
                "flushes a send whose local key is no good instead of naming the error (rxe_req.c)");
        try (Connection c = connect();
                ProtectionDomain other = c.left.context.createPd();
                MemoryRegion foreign = other.register(c.left.memory, End.ALL)) {
            c.right.postRecv(1, 0, 64);
            c.left.qp.postSend(2, SendFlags.SIGNALED, foreign.lkey(), c.left.at(0), 64);

            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.LOC_PROT_ERR);
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.ERR);
            c.right.expectNothing();
        }
    }

    @Test
    void shouldReportLocalOutOfBounds() throws Exception {
        Rxe.cannot(
                topology,
                "flushes a send whose local memory is out of bounds instead of naming the error (rxe_req.c)");
        try (Connection c = connect()) {
            c.right.postRecv(1, 0, 64);
            c.left.qp.postSend(
                    2, SendFlags.SIGNALED, c.left.lkey(), c.left.at(Connection.BUFFER - 10), 64);
            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.LOC_PROT_ERR);
        }
    }

    @Test
    void shouldRefuseMessageLongerThanTheReceive() throws Exception {
        Rxe.cannot(
                topology,
                "calls a message longer than its receive a malformed receive (rxe_resp.c)");
        try (Connection c = connect()) {
            c.right.postRecv(1, 0, 63);
            c.left.qp.postSend(2, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), 64);

            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.REM_INV_REQ_ERR);
            assertThat(c.right.next().status(0)).isEqualTo(WcStatus.LOC_LEN_ERR);
            assertThat(c.right.qp.queryState()).isEqualTo(QpState.ERR);
        }
    }

    @Test
    void shouldGiveUpWhenNoReceiveComes() throws Exception {
        ConnectOptions impatient = new ConnectOptions().rnrRetry(2).minRnrTimer(1);
        try (Connection c = Connection.of(topology, EndOptions.USUAL, impatient)) {
            c.left.qp.postSend(2, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), 64);

            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.ERR);
            assertThat(c.right.qp.queryState()).isEqualTo(QpState.RTS);
        }
    }

    @Test
    void shouldGiveUpWhenThePeerIsGone() throws Exception {
        ConnectOptions impatient = new ConnectOptions().timeout(8).retryCount(2);
        try (Connection c = Connection.of(topology, EndOptions.USUAL, impatient)) {
            c.right.qp.toReset();
            write(c, 64, c.right.rkey(), c.right.at(0));

            WorkCompletions done = c.left.next();
            assertThat(done.status(0)).isEqualTo(WcStatus.RETRY_EXC_ERR);
            assertThat(done.vendorError(0)).isNotZero();
            Bytes.expectZero(c.right.memory, 0, 64);
        }
    }

    @Test
    void shouldFlushWhatIsBehindAnErrorInOrder() throws Exception {
        try (Connection c = connect()) {
            c.left.postRecv(100, 0, 64);
            c.left.postRecv(101, 0, 64);
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.NONE);
            c.left.qp.write(0xbad00, c.right.at(0));
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 64);
            for (int i = 2; i <= 5; i++) {
                c.left.qp.wrId(i).flags(SendFlags.NONE);
                c.left.qp.write(c.right.rkey(), c.right.at(0));
                c.left.qp.sge(c.left.lkey(), c.left.at(0), 64);
            }
            c.left.submit();

            WorkCompletions first = c.left.next();
            assertThat(first.wrId(0)).isEqualTo(1);
            assertThat(first.status(0)).isEqualTo(WcStatus.REM_ACCESS_ERR);
            long nextSend = 2;
            long nextRecv = 100;
            for (int i = 0; i < 6; i++) {
                WorkCompletions flushed = c.left.next();
                assertThat(flushed.status(0)).isEqualTo(WcStatus.WR_FLUSH_ERR);
                if (flushed.wrId(0) < 100) {
                    assertThat(flushed.wrId(0)).isEqualTo(nextSend++);
                } else {
                    assertThat(flushed.wrId(0)).isEqualTo(nextRecv++);
                }
            }
            assertThat(c.left.qp.queryState()).isEqualTo(QpState.ERR);
            Bytes.expectZero(c.right.memory, 0, 64);
        }
    }

    private static void write(Connection c, long size, int rkey, long remote) {
        Bytes.fill(c.left.memory, 0, size, 21);
        c.left.qp.postWrite(1, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), size, rkey, remote);
    }

    private static void fetchAdd(Connection c, int rkey, long remote) {
        assertThat(buildFetchAdd(c, rkey, remote)).isEqualTo(PostResult.POSTED);
    }

    private static PostResult buildFetchAdd(Connection c, int rkey, long remote) {
        c.left.qp.start();
        c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
        c.left.qp.fetchAdd(rkey, remote, 1);
        c.left.qp.sge(c.left.lkey(), c.left.at(0), 8);
        return c.left.qp.submit();
    }

    private static void expectRemoteAccessError(Connection c) throws Exception {
        WorkCompletions done = c.left.next();
        assertThat(done.status(0)).isEqualTo(WcStatus.REM_ACCESS_ERR);
        assertThat(done.vendorError(0)).isNotZero();
        assertThat(done.wrId(0)).isEqualTo(1);
        assertThat(c.left.qp.queryState()).isEqualTo(QpState.ERR);
        assertThat(c.right.qp.queryState()).isEqualTo(QpState.ERR);
    }
}
