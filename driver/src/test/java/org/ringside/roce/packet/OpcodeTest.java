package org.ringside.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpcodeTest {
    /** Lengths of BTH and extension headers by IBTA table 35. */
    @ParameterizedTest
    @CsvSource({
        "0x00, RC_SEND_FIRST, 12",
        "0x03, RC_SEND_LAST_IMM, 16",
        "0x06, RC_WRITE_FIRST, 28",
        "0x07, RC_WRITE_MIDDLE, 12",
        "0x0b, RC_WRITE_ONLY_IMM, 32",
        "0x0c, RC_READ_REQUEST, 28",
        "0x0d, RC_READ_RESPONSE_FIRST, 16",
        "0x0e, RC_READ_RESPONSE_MIDDLE, 12",
        "0x11, RC_ACKNOWLEDGE, 16",
        "0x12, RC_ATOMIC_ACKNOWLEDGE, 24",
        "0x13, RC_COMPARE_SWAP, 40",
        "0x17, RC_SEND_ONLY_INVALIDATE, 16",
        "0x25, UC_SEND_ONLY_IMM, 16",
        "0x2b, UC_WRITE_ONLY_IMM, 32",
        "0x64, UD_SEND_ONLY, 20",
        "0x65, UD_SEND_ONLY_IMM, 24",
        "0x81, CNP, 12"
    })
    void shouldKnowNameAndHeaderLength(String code, String name, int headers) {
        Opcode opcode = Opcode.require(Integer.decode(code));
        assertThat(opcode).hasToString(name);
        assertThat(opcode.payload()).isEqualTo(headers);
        assertThat(opcode.code()).isEqualTo(Integer.decode(code));
    }

    @Test
    void shouldHaveTwentyThreeOfRcTwelveOfUcTwoOfUdAndTheCnp() {
        int[] byService = new int[Service.values().length];
        for (int code = 0; code < 256; code++) {
            Opcode opcode = Opcode.of(code);
            if (opcode != null) {
                byService[opcode.service().ordinal()]++;
            }
        }
        assertThat(byService).containsExactly(23, 12, 2, 1);
    }
}
