package org.ringside.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.mlx5.layout.Cqe64;
import org.ringside.mlx5.layout.CqeErrorSyndrome;
import org.ringside.mlx5.layout.ErrCqe;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;
import org.ringside.vfio.testing.RecordingMmio;

/** CQEs that a device would write, decoded; ownership over wraps; cleaning; a lost device. */
final class CompletionRingTest {
    private static final int LOG = 2;
    private static final int A = 0x000041;
    private static final int B = 0xfff042;

    private final MemorySegment memory = Arena.ofAuto().allocate(64 << LOG, 64);
    private final MemorySegment recordMemory = Arena.ofAuto().allocate(64, 64);
    private final QpTable table = new QpTable();
    private final CompletionRing ring = ring();
    private final WorkQueues a = queues(A);
    private final WorkQueues b = queues(B);
    private int producer;

    private CompletionRing ring() {
        RingMemory mapped = RingMemory.of(memory);
        CompletionRing.initialize(mapped, LOG);
        return new CompletionRing(mapped, LOG, RingMemory.of(recordMemory), table);
    }

    private WorkQueues queues(int number) {
        RingMemory wqes = RingMemory.of(Arena.ofAuto().allocate(64 * 16, 64));
        RingMemory record = RingMemory.of(Arena.ofAuto().allocate(64, 64));
        SendQueue send =
                new SendQueue(
                        wqes,
                        0,
                        record,
                        new RecordingMmio(4096),
                        new SendQueue.Config(number, 8, 1, 0, false, 1 << 30));
        ReceiveQueue receive = new ReceiveQueue(wqes, 512, record, 8, 4, 1, 1 << 30);
        send.setLimit(true, PostResult.POSTED);
        receive.setLimit(true, PostResult.POSTED);
        WorkQueues queues = new WorkQueues(number, send, receive);
        table.put(queues);
        return queues;
    }

    /** Writes a CQE as a device does: owner last. */
    private long write(int qpn, int opcode, int wqeOpcode, int counter, int bytes, int immediate) {
        long at = (long) (producer & 3) << 6;
        Cqe64.BYTE_CNT.set(memory, at, bytes & 0xffff_ffffL);
        Cqe64.IMM_INVAL_PKEY.set(memory, at, immediate & 0xffff_ffffL);
        Cqe64.SEND_WQE_OPCODE.set(memory, at, wqeOpcode);
        Cqe64.QPN.set(memory, at, qpn);
        Cqe64.WQE_COUNTER.set(memory, at, counter);
        memory.set(JAVA_BYTE, at + 63, (byte) (opcode << 4 | producer >>> LOG & 1));
        producer++;
        return at;
    }

    private void writeError(int qpn, boolean requester, int counter, int syndrome, int vendor) {
        long at = (long) (producer & 3) << 6;
        int errors = ErrCqe.ERROR_SYNDROME.offset();
        CqeErrorSyndrome.SYNDROME.set(memory, at + errors, syndrome);
        CqeErrorSyndrome.VENDOR_ERROR_SYNDROME.set(memory, at + errors, vendor);
        ErrCqe.QPN.set(memory, at, qpn);
        ErrCqe.WQE_COUNTER.set(memory, at, counter);
        memory.set(
                JAVA_BYTE, at + 63, (byte) ((requester ? 0xd : 0xe) << 4 | producer >>> LOG & 1));
        producer++;
    }

    private int consumerIndex() {
        return new MappedRing(recordMemory).getInt(0);
    }

    @Test
    void shouldFindNothingInAFreshRing() {
        assertThat(ring.startPoll()).isFalse();
        assertThat(ring.poll(new WorkCompletions(4))).isZero();
        assertThat(consumerIndex()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "8, RDMA_WRITE",
        "9, RDMA_WRITE",
        "10, SEND",
        "11, SEND",
        "16, RDMA_READ",
        "17, COMP_SWAP",
        "18, FETCH_ADD"
    })
    void shouldDecodeRequesterCompletions(int wqeOpcode, WcOpcode expected) {
        a.send.postSend(0xdead_beef_0000_0001L, 0, 1, 2, 3);
        write(A, 0, wqeOpcode, 0, 0x8000_0000, 0);
        assertThat(ring.startPoll()).isTrue();
        assertThat(ring.wrId()).isEqualTo(0xdead_beef_0000_0001L);
        assertThat(ring.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(ring.opcode()).isEqualTo(expected);
        assertThat(ring.byteLength()).as("unsigned").isEqualTo(0x8000_0000L);
        assertThat(ring.hasImmediate()).isFalse();
        assertThat(ring.qpNumber()).isEqualTo(A);
        assertThat(ring.vendorError()).isZero();
        assertThat(ring.nextPoll()).isFalse();
        assertThat(ring.wrId()).as("stays at the last").isEqualTo(0xdead_beef_0000_0001L);
        assertThat(consumerIndex()).as("before the end").isZero();
        ring.endPoll();
        assertThat(consumerIndex()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1, RECV_RDMA_WITH_IMM, true", "2, RECV, false", "3, RECV, true", "4, RECV, false"})
    void shouldDecodeResponderCompletions(int opcode, WcOpcode expected, boolean immediate) {
        b.receive.post(77, 1, 2, 3);
        write(B, opcode, 0, 0, 100, 0x8765_4321);
        WorkCompletions batch = new WorkCompletions(4);
        assertThat(ring.poll(batch)).isEqualTo(1);
        assertThat(batch.wrId(0)).isEqualTo(77);
        assertThat(batch.opcode(0)).isEqualTo(expected);
        assertThat(batch.byteLength(0)).isEqualTo(100);
        assertThat(batch.hasImmediate(0)).isEqualTo(immediate);
        assertThat(batch.immediate(0)).isEqualTo(0x8765_4321);
        assertThat(batch.qpNumber(0)).isEqualTo(B);
        assertThat(consumerIndex()).isEqualTo(1);
    }

    @Test
    void shouldReadImmediateAsTheSenderGaveIt() {
        b.receive.post(77, 1, 2, 3);
        long at = write(B, 3, 0, 0, 100, 0);
        for (int i = 0; i < 4; i++) {
            memory.set(JAVA_BYTE, at + 36 + i, (byte) (0x12 + 0x22 * i));
        }
        assertThat(ring.startPoll()).isTrue();
        assertThat(ring.immediate()).as("be32 on the wire").isEqualTo(0x1234_5678);
    }

    @ParameterizedTest
    @CsvSource({
        "1, LOC_LEN_ERR",
        "2, LOC_QP_OP_ERR",
        "4, LOC_PROT_ERR",
        "5, WR_FLUSH_ERR",
        "6, MW_BIND_ERR",
        "0x10, BAD_RESP_ERR",
        "0x11, LOC_ACCESS_ERR",
        "0x12, REM_INV_REQ_ERR",
        "0x13, REM_ACCESS_ERR",
        "0x14, REM_OP_ERR",
        "0x15, RETRY_EXC_ERR",
        "0x16, RNR_RETRY_EXC_ERR",
        "0x22, REM_ABORT_ERR",
        "0x7f, GENERAL_ERR"
    })
    void shouldTranslateSyndromes(String syndrome, WcStatus expected) {
        List<String> told = new ArrayList<>();
        a.observe(() -> told.add("failed"));
        a.send.postSend(5, 0, 1, 2, 3);
        a.send.postSend(6, 0, 1, 2, 3);
        writeError(A, true, 1, Integer.decode(syndrome), 0x81);
        assertThat(ring.startPoll()).isTrue();
        assertThat(ring.status()).isEqualTo(expected);
        assertThat(ring.vendorError()).isEqualTo(0x81);
        assertThat(ring.wrId()).isEqualTo(6);
        assertThat(ring.qpNumber()).isEqualTo(A);
        assertThat(told).containsExactly("failed");
    }

    @Test
    void shouldDecodeResponderErrors() {
        a.receive.post(8, 1, 2, 3);
        writeError(A, false, 0, 5, 0xf9);
        assertThat(ring.startPoll()).isTrue();
        assertThat(ring.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
        assertThat(ring.wrId()).isEqualTo(8);
    }

    @Test
    void shouldFollowTheOwnerBitAroundTheRing() {
        WorkCompletions batch = new WorkCompletions(8);
        for (int i = 0; i < 41; i++) {
            assertThat(a.send.postSend(i, 0, 1, 2, 3)).isEqualTo(PostResult.POSTED);
            write(A, 0, 10, i, 0, 0);
            assertThat(ring.poll(batch)).isEqualTo(1);
            assertThat(batch.wrId(0)).isEqualTo(i);
            assertThat(ring.poll(batch)).isZero();
        }
        assertThat(consumerIndex()).isEqualTo(41);
    }

    @Test
    void shouldTakeNoMoreThanTheStorageHolds() {
        for (int i = 0; i < 4; i++) {
            a.send.postSend(i, 0, 1, 2, 3);
            write(A, 0, 10, i, 0, 0);
        }
        WorkCompletions batch = new WorkCompletions(3);
        assertThat(ring.poll(batch)).isEqualTo(3);
        assertThat(consumerIndex()).isEqualTo(3);
        assertThat(ring.poll(batch)).isEqualTo(1);
        assertThat(batch.wrId(0)).isEqualTo(3);
    }

    @Test
    void shouldDropCompletionsOfDestroyedQps() {
        a.send.postSend(1, 0, 1, 2, 3);
        b.send.postSend(2, 0, 1, 2, 3);
        write(A, 0, 10, 0, 0, 0);
        write(B, 0, 10, 0, 0, 0);
        write(A, 0, 10, 0, 0, 0);
        table.remove(A);
        WorkCompletions batch = new WorkCompletions(4);
        assertThat(ring.poll(batch)).isEqualTo(1);
        assertThat(batch.wrId(0)).isEqualTo(2);
    }

    @Test
    void shouldCleanOneQpAndKeepTheOrderOfTheOthers() {
        // Stand at index 3, so that the ones to clean lie around the end of the ring.
        WorkCompletions batch = new WorkCompletions(4);
        for (int i = 0; i < 3; i++) {
            b.send.postSend(i, 0, 1, 2, 3);
            write(B, 0, 10, i, 0, 0);
        }
        assertThat(ring.poll(batch)).isEqualTo(3);
        for (int i = 0; i < 2; i++) {
            a.send.postSend(10 + i, 0, 1, 2, 3);
            b.send.postSend(20 + i, 0, 1, 2, 3);
            write(B, 0, 8, 3 + i, 0, 0);
            write(A, 0, 10, i, 0, 0);
        }
        ring.clean(A);
        assertThat(consumerIndex()).isEqualTo(5);
        assertThat(ring.poll(batch)).isEqualTo(2);
        assertThat(batch.wrId(0)).isEqualTo(20);
        assertThat(batch.wrId(1)).isEqualTo(21);
        assertThat(batch.opcode(1)).isEqualTo(WcOpcode.RDMA_WRITE);
        assertThat(consumerIndex()).isEqualTo(7);
        a.send.reset();
        a.send.postSend(30, 0, 1, 2, 3);
        write(A, 0, 10, 0, 0, 0);
        assertThat(ring.poll(batch)).isEqualTo(1);
        assertThat(batch.wrId(0)).isEqualTo(30);
    }

    @Test
    void shouldFlushInSoftwareWhenTheDeviceIsLost() {
        ring.attach(a, true, true);
        ring.attach(b, false, true);
        a.send.postSend(1, 0, 1, 2, 3);
        a.send.postSend(2, 0, 1, 2, 3);
        a.receive.post(3, 1, 2, 3);
        b.send.postSend(4, 0, 1, 2, 3);
        b.receive.post(5, 1, 2, 3);
        write(A, 0, 10, 0, 0, 0);
        WorkCompletions batch = new WorkCompletions(8);
        assertThat(ring.poll(batch)).isEqualTo(1);
        ring.lose();
        assertThat(ring.poll(batch)).isEqualTo(3);
        assertThat(List.of(batch.wrId(0), batch.wrId(1), batch.wrId(2)))
                .containsExactly(2L, 3L, 5L);
        for (int i = 0; i < 3; i++) {
            assertThat(batch.status(i)).isEqualTo(WcStatus.WR_FLUSH_ERR);
        }
        assertThat(batch.qpNumber(2)).isEqualTo(B);
        assertThat(ring.poll(batch)).isZero();
        ring.detach(a);
        a.receive.post(6, 1, 2, 3);
        assertThat(ring.poll(batch)).isZero();
    }
}
