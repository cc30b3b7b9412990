package org.ringside.emulator.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsnTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0",
        "1, 0, 1",
        "0, 1, -1",
        "0, 16777215, 1",
        "16777215, 0, -1",
        "8388607, 0, 8388607"
    })
    void shouldCompareOverTheWrap(int a, int b, int difference) {
        assertThat(Psn.difference(a, b)).isEqualTo(difference);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1024, 1", "1025, 2", "2147483648, 2097152"})
    void shouldCountPackets(long bytes, long packets) {
        assertThat(Psn.packets(bytes, 1024)).isEqualTo(packets);
    }

    @ParameterizedTest
    @CsvSource({"16777215, 1, 0", "16777214, 3, 1", "0, 2097152, 2097152"})
    void shouldWrapAt24Bits(int psn, long packets, int next) {
        assertThat(Psn.add(psn, packets)).isEqualTo(next);
    }
}
