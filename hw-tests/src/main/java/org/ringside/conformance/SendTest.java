package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** SEND and RECV. */
class SendTest extends KitTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 64, 255, 1024, 4095, 4096, 4097, 65_536, 1_000_003})
    void shouldDeliverMessagesOfAnySize(int size) throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, size, 42);
            c.right.postRecv(7, 0, size);
            assertThat(c.left.qp.postSend(8, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), size))
                    .isEqualTo(PostResult.POSTED);

            WorkCompletions sent = c.left.next();
            assertThat(sent.wrId(0)).isEqualTo(8);
            assertThat(sent.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(sent.opcode(0)).isEqualTo(WcOpcode.SEND);
            assertThat(sent.qpNumber(0)).isEqualTo(c.left.qp.number());

            WorkCompletions received = c.right.next();
            assertThat(received.wrId(0)).isEqualTo(7);
            assertThat(received.status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(received.opcode(0)).isEqualTo(WcOpcode.RECV);
            assertThat(received.byteLength(0)).isEqualTo(size);
            assertThat(received.hasImmediate(0)).isFalse();
            assertThat(received.qpNumber(0)).isEqualTo(c.right.qp.number());
            Bytes.expect(c.right.memory, 0, size, 42);
            Bytes.expectZero(c.right.memory, size, 64);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 12, 13, 44, 60, 61, 64, 100, 128})
    void shouldDeliverInlineDataThatIsFreeAtOnce(int size) throws Exception {
        try (Connection c = connect()) {
            byte[] source = new byte[size];
            for (int i = 0; i < size; i++) {
                source[i] = (byte) (i + 1);
            }
            c.right.postRecv(1, 0, 256);
            assertThat(
                            c.left.qp.postSendInline(
                                    2, SendFlags.SIGNALED, MemorySegment.ofArray(source), 0, size))
                    .isEqualTo(PostResult.POSTED);
            java.util.Arrays.fill(source, (byte) 0);

            assertThat(c.right.next().byteLength(0)).isEqualTo(size);
            for (int i = 0; i < size; i++) {
                assertThat(c.right.memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i))
                        .isEqualTo((byte) (i + 1));
            }
        }
    }

    @Test
    void shouldJoinInlinePieces() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, 100, 5);
            c.right.postRecv(1, 0, 256);
            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.send();
            c.left.qp.inline(c.left.memory, 0, 7);
            c.left.qp.inline(c.left.memory, 7, 61);
            c.left.qp.inline(c.left.memory, 68, 32);
            c.left.submit();

            assertThat(c.right.next().byteLength(0)).isEqualTo(100);
            Bytes.expect(c.right.memory, 0, 100, 5);
        }
    }

    @Test
    void shouldGatherAndScatter() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, 6000, 3);
            c.right.qp.startRecv();
            c.right.qp.recv(1);
            c.right.qp.recvSge(c.right.lkey(), c.right.at(0), 10);
            c.right.qp.recvSge(c.right.lkey(), c.right.at(10), 4990);
            c.right.qp.recvSge(c.right.lkey(), c.right.at(5000), 2000);
            assertThat(c.right.qp.submitRecv()).isEqualTo(PostResult.POSTED);

            c.left.qp.start();
            c.left.qp.wrId(1).flags(SendFlags.SIGNALED);
            c.left.qp.send();
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 1);
            c.left.qp.sge(c.left.lkey(), c.left.at(1), 4999);
            c.left.qp.sge(c.left.lkey(), c.left.at(5000), 900);
            c.left.qp.sge(c.left.lkey(), c.left.at(5900), 100);
            c.left.submit();

            assertThat(c.right.next().byteLength(0)).isEqualTo(6000);
            Bytes.expect(c.right.memory, 0, 6000, 3);
        }
    }

    @Test
    void shouldCarryImmediateDataAsGiven() throws Exception {
        try (Connection c = connect()) {
            c.right.postRecv(1, 0, 64);
            c.left.qp.start();
            c.left.qp.wrId(2).flags(SendFlags.SIGNALED);
            c.left.qp.sendImm(0x89abcdef);
            c.left.qp.sge(c.left.lkey(), c.left.at(0), 16);
            c.left.submit();

            WorkCompletions received = c.right.next();
            assertThat(received.hasImmediate(0)).isTrue();
            assertThat(received.immediate(0)).isEqualTo(0x89abcdef);
            assertThat(received.opcode(0)).isEqualTo(WcOpcode.RECV);
            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
        }
    }

    @Test
    void shouldWaitForAReceiveThatComesLater() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, 64, 1);
            c.left.qp.postSend(1, SendFlags.SIGNALED, c.left.lkey(), c.left.at(0), 64);
            Thread.sleep(20);
            c.left.expectNothing();
            c.right.postRecv(2, 0, 64);

            assertThat(c.left.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            assertThat(c.right.next().status(0)).isEqualTo(WcStatus.SUCCESS);
            Bytes.expect(c.right.memory, 0, 64, 1);
        }
    }

    @Test
    void shouldSendBothWays() throws Exception {
        try (Connection c = connect()) {
            Bytes.fill(c.left.memory, 0, 100, 1);
            Bytes.fill(c.right.memory, 0, 100, 2);
            c.left.postRecv(1, 1000, 100);
            c.right.postRecv(1, 1000, 100);
            c.left.qp.postSend(2, SendFlags.NONE, c.left.lkey(), c.left.at(0), 100);
            c.right.qp.postSend(2, SendFlags.NONE, c.right.lkey(), c.right.at(0), 100);

            assertThat(c.left.next().opcode(0)).isEqualTo(WcOpcode.RECV);
            assertThat(c.right.next().opcode(0)).isEqualTo(WcOpcode.RECV);
            Bytes.expect(c.left.memory, 1000, 100, 2);
            Bytes.expect(c.right.memory, 1000, 100, 1);
        }
    }
}
