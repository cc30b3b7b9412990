package org.ringside.mlx5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.testing.RecordingMmio;

class RingMemoryTest {
    private static RingMemory ring(long bytes) {
        return RingMemory.of(Arena.ofAuto().allocate(bytes, 64));
    }

    @Test
    void shouldBeBigEndianInMemory() {
        MemorySegment memory = Arena.ofAuto().allocate(64, 64);
        RingMemory ring = RingMemory.of(memory);
        ring.putLong(8, 0x0102_0304_0506_0708L);
        ring.putIntRelease(16, 0x0a0b_0c0d);
        var order = ByteOrder.BIG_ENDIAN;
        assertThat(memory.get(ValueLayout.JAVA_LONG.withOrder(order), 8))
                .isEqualTo(0x0102_0304_0506_0708L);
        assertThat(memory.get(ValueLayout.JAVA_BYTE, 16)).isEqualTo((byte) 0x0a);
        assertThat(ring.getLong(8)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(ring.getLongAcquire(8)).isEqualTo(0x0102_0304_0506_0708L);
        assertThat(ring.getInt(16)).isEqualTo(0x0a0b_0c0d);
    }

    @Test
    void shouldRefuseHeapMemoryWhichMoves() {
        assertThatThrownBy(() -> RingMemory.of(MemorySegment.ofArray(new long[8])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("native memory");
    }

    @Test
    void shouldRefuseCopiesOverItsEnd() {
        RingMemory ring = ring(64);
        MemorySegment from = Arena.ofAuto().allocate(64);
        assertThatThrownBy(() -> ring.copyIn(48, from, 0, 17))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldRefuseQueuesThatItDoesNotHold() {
        Mmio doorbells = new RecordingMmio(4096);
        var config = new SendQueue.Config(1, 16, 1, 0, false, 1L << 30);
        assertThatThrownBy(() -> new SendQueue(ring(1088), 128, ring(64), doorbells, config))
                .hasMessage("a send queue takes bytes 128 to 1151 of a ring of 1088");
        assertThatThrownBy(() -> new SendQueue(ring(1024), 0, ring(4), doorbells, config))
                .hasMessage("its doorbell record takes bytes 0 to 7 of a ring of 4");
        assertThatThrownBy(() -> new ReceiveQueue(ring(64), 0, ring(64), 8, 4, 1, 1L << 30))
                .hasMessage("a receive queue takes bytes 0 to 127 of a ring of 64");
        assertThatThrownBy(() -> new CompletionRing(ring(64), 1, ring(64), new QpTable()))
                .hasMessage("a completion queue takes bytes 0 to 127 of a ring of 64");
    }
}
