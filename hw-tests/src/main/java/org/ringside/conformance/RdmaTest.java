package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** WRITE and READ. */
class RdmaTest extends KitTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 4096, 4097, 65_536, 999_999})
    void shouldWrite(int size) throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, size, 11);
            assertThat(
                            c.left.qp.postWrite(
                                    3,
                                    SendFlags.SIGNALED,
                                    c.left.lkey(),
                                    c.left.at(0),
                                    size,
                                    c.right.rkey(),
                                    c.right.at(8)))
                    .isEqualTo(PostResult.POSTED);

            WorkCompletions done = c.left.next();
            assertThat(done.wrId(0)).isEqualTo(3);
            assertThat(done.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(done.opcode(0)).isEqualTo(WcOpcode.RDMA_WRITE);
            Bytes.expect(c.right.memory, 8, size, 11);
            Bytes.expectZero(c.right.memory, 0, 8);
            Bytes.expectZero(c.right.memory, 8L + size, 64);
            c.right.expectNothing();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 64, 4096, 4097, 65_536, 999_999})
    void shouldRead(int size) throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.right.memory, 16, size, 12);
            assertThat(
                            c.left.qp.postRead(
                                    4,
                                    SendFlags.SIGNALED,
                                    c.left.lkey(),
                                    c.left.at(0),
                                    size,
                                    c.right.rkey(),
                                    c.right.at(16)))
                    .isEqualTo(PostResult.POSTED);

            WorkCompletions done = c.left.next();
            assertThat(done.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(done.opcode(0)).isEqualTo(WcOpcode.RDMA_READ);
            assertThat(done.byteLength(0)).isEqualTo(size);
            Bytes.expect(c.left.memory, 0, size, 12);
            Bytes.expectZero(c.left.memory, size, 64);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 10_000})
    void shouldWriteWithImmediate(int size) throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, size, 13);
            c.right.postRecv(9, 0, 0);
            c.left.qp.start();
            c.left.qp.wrId(5).flags(SendFlags.SIGNALED);
            c.left.qp.writeImm(c.right.rkey(), c.right.at(100), 0x01020304);
            c.left.qp.sge(c.left.lkey(), c.left.at(0), size);
            c.left.submit();

            assertThat(c.left.next().opcode(0)).isEqualTo(WcOpcode.RDMA_WRITE);
            WorkCompletions received = c.right.next();
            assertThat(received.wrId(0)).isEqualTo(9);
            assertThat(received.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(received.opcode(0)).isEqualTo(WcOpcode.RECV_RDMA_WITH_IMM);
            assertThat(received.hasImmediate(0)).isTrue();
            assertThat(received.immediate(0)).isEqualTo(0x01020304);
            assertThat(received.byteLength(0)).isEqualTo(size);
            Bytes.expect(c.right.memory, 100, size, 13);
        }
    }

    @Test
    void shouldWriteInlineAndGathered() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, 300, 14);
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.NONE);
            c.left.qp.write(c.right.rkey(), c.right.at(0));
            c.left.qp.inline(c.left.memory, 0, 100);
            c.left.qp.wrId(2).flags(SendFlags.SIGNALED);
            c.left.qp.write(c.right.rkey(), c.right.at(100));
            c.left.qp.sge(c.left.lkey(), c.left.at(100), 50);
            c.left.qp.sge(c.left.lkey(), c.left.at(150), 150);
            c.left.submit();

            assertThat(c.left.next().wrId(0)).isEqualTo(2);
            Bytes.expect(c.right.memory, 0, 300, 14);
        }
    }

    @Test
    void shouldScatterARead() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.right.memory, 0, 9000, 15);
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.read(c.right.rkey(), c.right.at(0));
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 4097);
            c.left.qp.sge(c.left.lkey(), c.left.at(4097), 3);
            c.left.qp.sge(c.left.lkey(), c.left.at(4100), 4900);
            c.left.submit();

            assertThat(c.left.next().byteLength(0)).isEqualTo(9000);
            Bytes.expect(c.left.memory, 0, 9000, 15);
        }
    }

    @Test
    void shouldSeeAnEarlierWriteInALaterRead() throws Exception {
        try (Connection c = connect()) {
            for (int i = 1; i <= 50; i++) {
                Bytes.fill(c.left.memory, 0, 512, i);
                c.left.qp.start();
                c.left.qp.wrId(i).flags(SendFlags.NONE);
                c.left.qp.write(c.right.rkey(), c.right.at(0));
                c.left.qp.sge(c.left.lkey(), c.left.at(0), 512);
                c.left.qp.wrId(i).flags(SendFlags.SIGNALED | SendFlags.FENCE);
                c.left.qp.read(c.right.rkey(), c.right.at(0));
                c.left.qp.sge(c.left.lkey(), c.left.at(4096), 512);
                c.left.submit();
                assertThat(c.left.next().opcode(0)).isEqualTo(WcOpcode.RDMA_READ);
                Bytes.expect(c.left.memory, 4096, 512, i);
            }
        }
    }

    @Test
    void shouldHaveManyReadsOutstanding() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.right.memory, 0, 64 * 1024, 16);
            c.left.qp.start();
            for (int i = 0; i < 64; i++) {
                c.left.qp.wrId(i).flags(SendFlags.SIGNALED);
                c.left.qp.read(c.right.rkey(), c.right.at(i * 1024L));
                c.left.qp.sge(c.left.lkey(), c.left.at(i * 1024L), 1024);
            }
            c.left.submit();
            for (int i = 0; i < 64; i++) {
                WorkCompletions done = c.left.next();
                assertThat(done.wrId(0)).isEqualTo(i);
                assertThat(done.status(0)).isEqualTo(WcStatus.SUCCESS);
            }
            Bytes.expect(c.left.memory, 0, 64 * 1024, 16);
        }
    }
}
