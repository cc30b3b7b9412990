package org.ringside.ethernet.e1000e;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DescriptorRingTest {
    private final MemorySegment memory =
            Arena.ofAuto().allocate(4L * DescriptorRing.SIZE, DescriptorRing.SIZE);
    private final DescriptorRing ring = new DescriptorRing(memory);

    private String descriptor(int slot) {
        byte[] bytes =
                memory.asSlice((long) slot * DescriptorRing.SIZE, DescriptorRing.SIZE)
                        .toArray(ValueLayout.JAVA_BYTE);
        return HexFormat.of().formatHex(bytes);
    }

    /**
     * 82574 datasheet, 7.2.10.1: address, length, CSO, CMD with RS, IFCS and EOP, STA, CSS,
     * special.
     */
    @Test
    void shouldWriteATransmitDescriptor() {
        ring.transmit(2, 0x1122_3344_5566_7788L, 0x05ea);
        assertThat(descriptor(2)).isEqualTo("8877665544332211" + "ea05" + "00" + "0b" + "00000000");
        assertThat(ring.isDone(2)).isFalse();
        memory.set(ValueLayout.JAVA_BYTE, 2 * 16 + 12, (byte) 1);
        assertThat(ring.isDone(2)).isTrue();
    }

    /** 7.1.4: address, length, checksum, status with DD and EOP, errors, special. */
    @Test
    void shouldReadAReceiveDescriptor() {
        ring.receive(1, 0x0000_0001_0000_2000L);
        assertThat(descriptor(1)).isEqualTo("0020000001000000" + "0000000000000000");
        assertThat(ring.isDone(1)).isFalse();
        MemorySegment.copy(
                MemorySegment.ofArray(HexFormat.of().parseHex("2a04beef03000000")),
                0,
                memory,
                16 + 8,
                8);
        assertThat(ring.isDone(1)).isTrue();
        assertThat(ring.length(1)).isEqualTo(0x042a);
        assertThat(ring.isGood(1)).isTrue();
        ring.receive(1, 0x0000_0001_0000_2000L);
        assertThat(ring.isDone(1)).isFalse();
    }

    @Test
    void shouldTellFramesWithErrorsAndParts() {
        memory.set(ValueLayout.JAVA_INT, 12, 0x0103); // CRC error
        assertThat(ring.isGood(0)).isFalse();
        memory.set(ValueLayout.JAVA_INT, 12, 0x0001); // More follows.
        assertThat(ring.isGood(0)).isFalse();
        memory.set(ValueLayout.JAVA_INT, 12, 0x6003); // Checksums of TCP and IP say nothing here.
        assertThat(ring.isGood(0)).isTrue();
    }
}
