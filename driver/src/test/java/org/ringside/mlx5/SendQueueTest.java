package org.ringside.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;
import org.ringside.vfio.testing.RecordingMmio;

/** WQE bytes against values written by hand from the manual; order of stores; misuse. */
final class SendQueueTest {
    private static final int QPN = 0x123456;
    private static final long MAX_MESSAGE = 1L << 30;

    private final List<String> log = new ArrayList<>();
    private final MemorySegment memory = Arena.ofAuto().allocate(64 * 64, 64);
    private final MemorySegment recordMemory = Arena.ofAuto().allocate(64, 64);
    private final RecordingMmio uar = new RecordingMmio(4096);

    private SendQueue queue(int blocks, int sges, int inline, boolean signalAll) {
        uar.onAccess(
                access ->
                        log.add(
                                "uar "
                                        + access.width()
                                        + " 0x"
                                        + Long.toHexString(access.offset())));
        SendQueue queue =
                new SendQueue(
                        new RecordingRing("wqe", memory, log),
                        0,
                        new RecordingRing("record", recordMemory, log),
                        uar,
                        new SendQueue.Config(QPN, blocks, sges, inline, signalAll, MAX_MESSAGE));
        queue.setLimit(true, PostResult.POSTED);
        return queue;
    }

    private String bytes(long from, int count) {
        byte[] copy = memory.asSlice(from, count).toArray(JAVA_BYTE);
        return HexFormat.of().formatHex(copy);
    }

    private int record() {
        return new MappedRing(recordMemory).getInt(DoorbellRecord.SEND);
    }

    private String doorbells() {
        StringBuilder text = new StringBuilder();
        for (RecordingMmio.Access write : uar.writes()) {
            text.append("%x:%016x ".formatted(write.offset(), Long.reverseBytes(write.value())));
        }
        return text.toString().strip();
    }

    @Test
    void shouldWriteOneSgeWriteAsTheManualHasIt() {
        SendQueue queue = queue(8, 1, 0, false);
        PostResult result =
                queue.postWrite(
                        9,
                        SendFlags.SIGNALED,
                        0xaabb_ccdd,
                        0x1122_3344_5566_7788L,
                        0x1000,
                        0x0102_0304,
                        0xfeed_beef_0000_0010L);

        assertThat(result).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 16)).isEqualTo("00000008" + "12345603" + "00000008" + "00000000");
        assertThat(bytes(16, 16)).isEqualTo("feedbeef00000010" + "01020304" + "00000000");
        assertThat(bytes(32, 16)).isEqualTo("00001000" + "aabbccdd" + "1122334455667788");
        assertThat(record()).isEqualTo(1);
        assertThat(doorbells()).isEqualTo("800:0000000812345603");
    }

    @Test
    void shouldStoreWqeThenRecordThenDoorbell() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.postSend(1, 0, 2, 0x1000, 4);

        assertThat(log)
                .containsExactly(
                        "wqe long 0x0",
                        "wqe long 0x8",
                        "wqe long 0x10",
                        "wqe long 0x18",
                        "record release int 0x4",
                        "uar 8 0x800");
    }

    @Test
    void shouldAlternateDoorbellHalves() {
        SendQueue queue = queue(8, 1, 0, false);
        for (int i = 0; i < 3; i++) {
            queue.postSend(i, 0, 2, 0x1000, 4);
        }
        assertThat(doorbells())
                .isEqualTo("800:0000000a12345602 900:0000010a12345602 800:0000020a12345602");
    }

    @Test
    void shouldTranslateFlags() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.postSend(1, SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.FENCE, 2, 0, 4);
        queue.postSend(1, SendFlags.NONE, 2, 0, 4);
        assertThat(bytes(8, 4)).isEqualTo("0000008a");
        assertThat(bytes(64 + 8, 4)).isEqualTo("00000000");
    }

    @Test
    void shouldSignalAllWhenTheQpDoes() {
        SendQueue queue = queue(8, 1, 0, true);
        queue.postSend(1, SendFlags.NONE, 2, 0, 4);
        assertThat(bytes(8, 4)).isEqualTo("00000008");
    }

    @Test
    void shouldWriteReadWithoutLocalDifference() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.postRead(1, 0, 0x55, 0x1000, 0x20, 0x66, 0x2000);
        assertThat(bytes(0, 48))
                .isEqualTo(
                        "00000010"
                                + "12345603"
                                + "00000000"
                                + "00000000"
                                + "0000000000002000"
                                + "00000066"
                                + "00000000"
                                + "00000020"
                                + "00000055"
                                + "0000000000001000");
    }

    @Test
    void shouldPutImmediateInNetworkOrder() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.start();
        queue.begin(0x09, 1, 0, 0x1234_5678);
        queue.remote(5, 6);
        queue.sge(7, 8, 9);
        assertThat(queue.submit()).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 16)).isEqualTo("00000009" + "12345603" + "00000000" + "12345678");
    }

    @Test
    void shouldWriteAtomicsWithSwapBeforeCompare() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.start();
        queue.begin(0x11, 1, 0, 0);
        queue.atomic(0x77, 0x8000, 0xaaL, 0xbbL);
        queue.sge(0x88, 0x100, 8);
        assertThat(queue.submit()).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 64))
                .isEqualTo(
                        "00000011"
                                + "12345604"
                                + "00000000"
                                + "00000000"
                                + "0000000000008000"
                                + "00000077"
                                + "00000000"
                                + "00000000000000aa"
                                + "00000000000000bb"
                                + "00000008"
                                + "00000088"
                                + "0000000000000100");
    }

    @Test
    void shouldRefuseAtomicsOfOtherThanEightAlignedBytes() {
        SendQueue queue = queue(8, 2, 16, false);
        assertThat(atomic(queue, 0x8000, 0x100, 4)).isEqualTo(PostResult.BAD_LENGTH);
        assertThat(atomic(queue, 0x8004, 0x100, 8)).isEqualTo(PostResult.BAD_LENGTH);
        assertThat(atomic(queue, 0x8000, 0x104, 8)).isEqualTo(PostResult.BAD_LENGTH);
        queue.start();
        queue.begin(0x12, 1, 0, 0);
        queue.atomic(1, 0x8000, 1, 0);
        assertThat(queue.submit()).as("no entry").isEqualTo(PostResult.BAD_LENGTH);
        queue.start();
        queue.begin(0x12, 1, 0, 0);
        queue.atomic(1, 0x8000, 1, 0);
        queue.inline(MemorySegment.ofArray(new byte[8]), 0, 8);
        assertThat(queue.submit()).as("inline").isEqualTo(PostResult.NOT_SUPPORTED);
    }

    private static PostResult atomic(SendQueue queue, long remote, long local, long length) {
        queue.start();
        queue.begin(0x12, 1, 0, 0);
        queue.atomic(1, remote, 1, 0);
        queue.sge(1, local, length);
        return queue.submit();
    }

    @Test
    void shouldCopyInlineDataBehindItsLength() {
        SendQueue queue = queue(8, 1, 64, false);
        queue.start();
        queue.begin(0x0a, 1, 0, 0);
        queue.inline(MemorySegment.ofArray(new byte[] {0, 1, 2, 3}), 1, 3);
        queue.inline(MemorySegment.ofArray(new byte[] {4, 5}), 0, 2);
        assertThat(queue.submit()).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 8)).isEqualTo("0000000a" + "12345602");
        assertThat(bytes(16, 9)).isEqualTo("80000005" + "0102030405");
    }

    @Test
    void shouldWrapInlineDataOverTheEndOfTheRing() {
        SendQueue queue = queue(4, 1, 96, false);
        for (int i = 0; i < 3; i++) {
            queue.postSend(i, 0, 2, 0, 4);
        }
        assertThat(queue.complete(2)).isEqualTo(2);
        byte[] data = new byte[96];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) i;
        }
        queue.start();
        queue.begin(0x0a, 7, 0, 0);
        queue.inline(MemorySegment.ofArray(data), 0, data.length);
        assertThat(queue.submit()).isEqualTo(PostResult.POSTED);

        assertThat(bytes(192, 24))
                .isEqualTo(
                        "0000030a"
                                + "12345608"
                                + "00000000"
                                + "00000000"
                                + "80000060"
                                + "00010203");
        assertThat(memory.get(JAVA_BYTE, 255)).isEqualTo((byte) 43);
        assertThat(memory.get(JAVA_BYTE, 0)).isEqualTo((byte) 44);
        assertThat(memory.get(JAVA_BYTE, 51)).isEqualTo((byte) 95);
        assertThat(record()).as("two blocks").isEqualTo(5);
        assertThat(queue.complete(3)).isEqualTo(7);
        assertThat(queue.hasOutstanding()).isFalse();
    }

    @Test
    void shouldSkipEntriesOfLengthZero() {
        SendQueue queue = queue(8, 2, 0, false);
        assertThat(queue.postSend(1, 0, 2, 0x1000, 0)).isEqualTo(PostResult.POSTED);
        assertThat(bytes(4, 4)).as("control segment only").isEqualTo("12345601");
    }

    @Test
    void shouldPostABatchUnderOneDoorbell() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.start();
        for (int i = 0; i < 3; i++) {
            queue.begin(0x0a, 100 + i, i == 2 ? SendFlags.SIGNALED : 0, 0);
            queue.sge(1, 0x1000, 8);
        }
        assertThat(uar.writes()).isEmpty();
        assertThat(record()).isZero();
        assertThat(queue.submit()).isEqualTo(PostResult.POSTED);
        assertThat(doorbells()).as("that of the last").isEqualTo("800:0000020a12345602");
        assertThat(record()).isEqualTo(3);
        assertThat(queue.complete(2)).isEqualTo(102);
        assertThat(queue.hasOutstanding()).as("one completion frees all before").isFalse();
    }

    @Test
    void shouldPostNothingOfABatchWithAnError() {
        SendQueue queue = queue(8, 1, 0, false);
        queue.start();
        queue.begin(0x0a, 1, 0, 0);
        queue.sge(1, 0x1000, 8);
        queue.begin(0x0a, 2, 0, 0);
        queue.sge(1, 0x1000, 8);
        queue.sge(1, 0x1000, 8);
        assertThat(queue.submit()).isEqualTo(PostResult.TOO_MANY_SGES);
        assertThat(record()).isZero();
        assertThat(uar.writes()).isEmpty();
        assertThat(queue.postSend(3, 0, 1, 0, 1)).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 4)).as("the same block again").isEqualTo("0000000a");
    }

    @Test
    void shouldRefuseMisuse() {
        SendQueue queue = queue(8, 1, 16, false);
        assertThat(queue.submit()).as("without start").isEqualTo(PostResult.BAD_SEQUENCE);
        queue.start();
        assertThat(queue.submit()).as("without operation").isEqualTo(PostResult.BAD_SEQUENCE);
        queue.begin(0x0a, 1, 0, 0);
        assertThat(queue.submit()).as("operation without start").isEqualTo(PostResult.BAD_SEQUENCE);
        queue.start();
        queue.sge(1, 2, 3);
        assertThat(queue.submit()).as("data without operation").isEqualTo(PostResult.BAD_SEQUENCE);
        queue.start();
        queue.begin(0x0a, 1, 0, 0);
        queue.sge(1, 2, 3);
        queue.inline(MemorySegment.ofArray(new byte[1]), 0, 1);
        assertThat(queue.submit()).as("inline after an entry").isEqualTo(PostResult.BAD_SEQUENCE);
        queue.start();
        queue.begin(0x0a, 1, 0, 0);
        queue.inline(MemorySegment.ofArray(new byte[17]), 0, 17);
        assertThat(queue.submit()).isEqualTo(PostResult.INLINE_TOO_LARGE);
        assertThat(queue.postSend(1, 0, 2, 0, -1)).isEqualTo(PostResult.BAD_LENGTH);
        assertThat(queue.postSend(1, 0, 2, 0, Long.MIN_VALUE)).isEqualTo(PostResult.BAD_LENGTH);
        assertThat(queue.postWrite(1, 0, 2, 0, MAX_MESSAGE + 1, 0, 0))
                .isEqualTo(PostResult.BAD_LENGTH);
        queue.start();
        queue.begin(0x0a, 1, 0, 0);
        queue.abort();
        assertThat(queue.submit()).as("after abort").isEqualTo(PostResult.BAD_SEQUENCE);
        assertThat(uar.writes()).isEmpty();
    }

    @Test
    void shouldBeFullWhenAllBlocksAreInUse() {
        SendQueue queue = queue(4, 1, 0, false);
        for (int i = 0; i < 4; i++) {
            assertThat(queue.postSend(i, 0, 2, 0, 4)).isEqualTo(PostResult.POSTED);
        }
        assertThat(queue.postSend(4, 0, 2, 0, 4)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(queue.postWrite(4, 0, 2, 0, 4, 0, 0)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(queue.complete(1)).isEqualTo(1);
        assertThat(queue.postSend(4, 0, 2, 0, 4)).isEqualTo(PostResult.POSTED);
        assertThat(queue.postSend(5, 0, 2, 0, 4)).isEqualTo(PostResult.POSTED);
        assertThat(queue.postSend(6, 0, 2, 0, 4)).isEqualTo(PostResult.QUEUE_FULL);
    }

    @Test
    void shouldCountBlocksModulo65536() {
        SendQueue queue = queue(4, 1, 0, false);
        for (int i = 0; i < 65_537; i++) {
            assertThat(queue.postSend(i, 0, 2, 0, 4)).isEqualTo(PostResult.POSTED);
            assertThat(queue.complete(i & 0xffff)).isEqualTo(i);
            uar.clearRecord();
            log.clear();
        }
        assertThat(record()).isEqualTo(1);
        assertThat(bytes(0, 4)).as("index 0 again").isEqualTo("0000000a");
    }

    @Test
    void shouldSayWhyItIsClosed() {
        SendQueue queue = queue(4, 1, 0, false);
        queue.setLimit(false, PostResult.WRONG_STATE);
        assertThat(queue.postSend(1, 0, 2, 0, 4)).isEqualTo(PostResult.WRONG_STATE);
        queue.setLimit(false, PostResult.DEVICE_LOST);
        assertThat(queue.postWrite(1, 0, 2, 0, 4, 0, 0)).isEqualTo(PostResult.DEVICE_LOST);
        assertThat(uar.writes()).isEmpty();
    }

    @Test
    void shouldStartAnewAfterReset() {
        SendQueue queue = queue(4, 1, 0, false);
        for (int i = 0; i < 3; i++) {
            queue.postSend(i, 0, 2, 0, 4);
        }
        queue.reset();
        uar.clearRecord();
        assertThat(record()).isZero();
        assertThat(queue.hasOutstanding()).isFalse();
        queue.postSend(9, 0, 2, 0, 4);
        assertThat(doorbells()).isEqualTo("800:0000000a12345602");
    }
}
