package org.ringside.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ringside.verbs.Gid;

class VectorsTest {
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @EnumSource
    void shouldFindTheIcrcThatOthersComputed(Vectors vector) {
        assertThat(packet.parse(vector.frame())).isEqualTo(Verdict.ROCE);
        assertThat(icrc.matches(packet)).isTrue();
    }

    /** Each bit of a frame is either covered, or named as variant, or below IP. */
    @ParameterizedTest
    @EnumSource
    void shouldNoticeEachFlippedBitThatRoutersMustNotTouch(Vectors vector) {
        byte[] good = vector.bytes();
        Frame frame = vector.frame();
        packet.parse(frame);
        int ip = packet.ip();
        int bth = packet.bth();
        boolean v6 = packet.isV6();
        for (int bit = ip * 8; bit < good.length * 8; bit++) {
            int at = bit / 8;
            byte[] bad = good.clone();
            bad[at] ^= (byte) (0x80 >> bit % 8);
            frame.copyOf(bad);
            boolean accepted = packet.parse(frame) == Verdict.ROCE && icrc.matches(packet);
            assertThat(accepted)
                    .as("bit %d of byte %d, IP at %d, BTH at %d", bit % 8, at, ip, bth)
                    .isEqualTo(isVariant(at - ip, bit % 8, at - bth, v6));
        }
    }

    private static boolean isVariant(int inIp, int bit, int inBth, boolean v6) {
        boolean ip =
                v6
                        ? inIp == 0 && bit >= 4 || inIp >= 1 && inIp <= 3 || inIp == 7
                        : inIp == 1 || inIp == 8 || inIp == 10 || inIp == 11;
        return ip || inBth == -2 || inBth == -1 || inBth == 4;
    }

    @Test
    void shouldReadTheFieldsOfAReadRequest() {
        assertThat(packet.parse(Vectors.RXE_READ_REQUEST.frame())).isEqualTo(Verdict.ROCE);
        assertThat(packet.opcode()).isSameAs(Opcodes.READ_REQUEST);
        assertThat(packet.destinationQp()).isEqualTo(0x11);
        assertThat(packet.psn()).isEqualTo(0x702359);
        assertThat(packet.ackRequest()).isTrue();
        assertThat(packet.address()).isEqualTo(0x55959c24a0d0L);
        assertThat(packet.rkey()).isEqualTo(0x568);
        assertThat(packet.rdmaLength()).isEqualTo(100);
        assertThat(packet.sourceLow()).isEqualTo(Gid.parse("10.0.0.1").low());
        assertThat(packet.destinationLow()).isEqualTo(Gid.parse("10.0.0.2").low());
    }

    @Test
    void shouldReadTheFieldsOfAnAtomicAndItsAnswer() {
        assertThat(packet.parse(Vectors.RXE_FETCH_ADD.frame())).isEqualTo(Verdict.ROCE);
        assertThat(packet.address()).isEqualTo(0x55ceb822b000L);
        assertThat(packet.rkey()).isEqualTo(0xc7d);
        assertThat(packet.swapOrAdd()).isEqualTo(1);
        assertThat(packet.parse(Vectors.RXE_ATOMIC_ACK.frame())).isEqualTo(Verdict.ROCE);
        assertThat(packet.original()).isEqualTo(0xd709c6d01f000cd6L);
        assertThat(packet.msn()).isEqualTo(1);
    }

    @Test
    void shouldReadPadSyndromesAndCongestion() {
        packet.parse(Vectors.RXE_WRITE_ONLY_PAD_3.frame());
        assertThat(packet.payloadLength()).isEqualTo(1);
        packet.parse(Vectors.RXE_RNR_NAK.frame());
        assertThat(packet.syndrome()).isEqualTo(Syndrome.RNR | 12);
        assertThat(Syndrome.rnrNanos(packet.syndrome())).isEqualTo(640_000);
        packet.parse(Vectors.RXE_NAK_ACCESS.frame());
        assertThat(packet.syndrome()).isEqualTo(Syndrome.NAK_REMOTE_ACCESS);
        packet.parse(Vectors.CONNECTX_CNP.frame());
        assertThat(packet.backwardCongestion()).isTrue();
        assertThat(packet.opcode()).isSameAs(Opcodes.CNP);
    }

    @Test
    void shouldPrintItself() {
        assertThat(Vectors.RXE_READ_REQUEST.frame())
                .hasToString(
                        "RC_READ_REQUEST qp 0x11 psn 0x702359 A va 0x55959c24a0d0 rkey 0x568 len"
                                + " 100 payload 0, ::ffff:10.0.0.1 -> ::ffff:10.0.0.2");
    }
}
