package org.ringside.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.PostResult;

/** Receive entries against values written by hand; order of stores. */
final class ReceiveQueueTest {
    private final List<String> log = new ArrayList<>();
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 64);
    private final MemorySegment recordMemory = Arena.ofAuto().allocate(64, 64);

    private ReceiveQueue queue(int entries, int strideShift, int sges) {
        ReceiveQueue queue =
                new ReceiveQueue(
                        new RecordingRing("wqe", memory, log),
                        0,
                        new RecordingRing("record", recordMemory, log),
                        entries,
                        strideShift,
                        sges,
                        1L << 30);
        queue.setLimit(true, PostResult.POSTED);
        return queue;
    }

    private String bytes(long from, int count) {
        return HexFormat.of().formatHex(memory.asSlice(from, count).toArray(JAVA_BYTE));
    }

    @Test
    void shouldFillAnEntryOfOneSegment() {
        ReceiveQueue queue = queue(4, 4, 1);
        assertThat(queue.post(7, 0x1234, 0xabcd_0000L, 0x200)).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 16)).isEqualTo("00000200" + "00001234" + "00000000abcd0000");
        assertThat(log).containsExactly("wqe long 0x0", "wqe long 0x8", "record release int 0x0");
        assertThat(new MappedRing(recordMemory).getInt(0)).isEqualTo(1);
        assertThat(queue.complete()).isEqualTo(7);
    }

    @Test
    void shouldEndAListThatIsNotFull() {
        ReceiveQueue queue = queue(4, 6, 4);
        queue.start();
        queue.begin(1);
        queue.sge(0x11, 0x1000, 16);
        queue.sge(0x22, 0x2000, 0);
        queue.sge(0x33, 0x3000, 32);
        assertThat(queue.submit()).isEqualTo(PostResult.POSTED);
        assertThat(bytes(0, 48))
                .isEqualTo(
                        "00000010"
                                + "00000011"
                                + "0000000000001000"
                                + "00000020"
                                + "00000033"
                                + "0000000000003000"
                                + "00000000"
                                + "00000100"
                                + "0000000000000000");
        queue.post(2, 0x44, 0x4000, 8);
        assertThat(bytes(64, 32))
                .isEqualTo(
                        "00000008"
                                + "00000044"
                                + "0000000000004000"
                                + "00000000"
                                + "00000100"
                                + "0000000000000000");
    }

    @Test
    void shouldTakeAllOfABatchOrNothing() {
        ReceiveQueue queue = queue(4, 4, 1);
        queue.start();
        for (int i = 0; i < 5; i++) {
            queue.begin(i);
            queue.sge(1, 2, 3);
        }
        assertThat(queue.submit()).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(queue.hasOutstanding()).isFalse();
        queue.start();
        queue.begin(1);
        queue.sge(1, 2, 3);
        queue.sge(1, 2, 3);
        assertThat(queue.submit()).isEqualTo(PostResult.TOO_MANY_SGES);
        assertThat(queue.submit()).isEqualTo(PostResult.BAD_SEQUENCE);
        assertThat(queue.post(1, 2, 3, -1)).isEqualTo(PostResult.BAD_LENGTH);
        assertThat(new MappedRing(recordMemory).getInt(0)).isZero();
    }

    @Test
    void shouldBeFullWhenAllEntriesAreInUse() {
        ReceiveQueue queue = queue(2, 4, 1);
        assertThat(queue.post(1, 2, 3, 4)).isEqualTo(PostResult.POSTED);
        assertThat(queue.post(2, 2, 3, 4)).isEqualTo(PostResult.POSTED);
        assertThat(queue.post(3, 2, 3, 4)).isEqualTo(PostResult.QUEUE_FULL);
        assertThat(queue.complete()).isEqualTo(1);
        assertThat(queue.post(3, 2, 3, 4)).isEqualTo(PostResult.POSTED);
        assertThat(queue.complete()).isEqualTo(2);
        assertThat(queue.complete()).isEqualTo(3);
    }
}
