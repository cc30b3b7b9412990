package org.ringside.cli;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 64, 1001})
    void shouldNoticeAnySingleWrongByte(int size) {
        MemorySegment memory = MemorySegment.ofArray(new byte[size]);
        Pattern.fill(memory, 77);
        Pattern.verify(memory, 77);
        for (int i = 0; i < size; i++) {
            byte right = memory.get(JAVA_BYTE, i);
            memory.set(JAVA_BYTE, i, (byte) (right ^ 0x10));
            assertThatThrownBy(() -> Pattern.verify(memory, 77))
                    .hasMessageStartingWith("data is wrong: message 77");
            memory.set(JAVA_BYTE, i, right);
        }
        Pattern.verify(memory, 77);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 64})
    void shouldDifferFromTheNextMessage(int size) {
        MemorySegment one = MemorySegment.ofArray(new byte[size]);
        MemorySegment two = MemorySegment.ofArray(new byte[size]);
        Pattern.fill(one, 1);
        Pattern.fill(two, 2);
        assertThat(one.mismatch(two)).isNotEqualTo(-1);
    }
}
