package org.ringside.roce.packet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParseTest {
    private static final int MUTATIONS = 20_000;

    private final Packet packet = new Packet();

    /** Cut anywhere, it is dropped, and nothing beyond the cut is read. */
    @ParameterizedTest
    @EnumSource
    void shouldDropWhatWasCutShort(Vectors vector) {
        byte[] whole = vector.bytes();
        for (int length = 0; length < whole.length; length++) {
            Frame frame = Vectors.frameOf(Arrays.copyOf(whole, length));
            assertThat(packet.parse(frame)).isIn(Verdict.TRUNCATED, Verdict.BAD_LENGTH);
        }
    }

    @Test
    void shouldAcceptPaddingToTheMinimumFrame() {
        byte[] ack = Arrays.copyOf(Vectors.RXE_ACK.bytes(), 80);
        assertThat(packet.parse(Vectors.frameOf(ack))).isEqualTo(Verdict.ROCE);
        assertThat(new Icrc().matches(packet)).isTrue();
    }

    @Test
    void shouldNameTheReason() {
        assertThat(parse(Vectors.RXE_ACK, 20, 0x20)).isEqualTo(Verdict.FRAGMENT);
        assertThat(parse(Vectors.RXE_ACK, 14, 0x46)).isEqualTo(Verdict.BAD_IP_HEADER);
        assertThat(parse(Vectors.RXE_ACK, 23, 6)).isEqualTo(Verdict.NOT_ROCE);
        assertThat(parse(Vectors.RXE_ACK, 37, 0xb8)).isEqualTo(Verdict.NOT_ROCE);
        assertThat(parse(Vectors.RXE_ACK, 17, 0x31)).isEqualTo(Verdict.BAD_LENGTH);
        assertThat(parse(Vectors.RXE_ACK, 42, 0x15)).isEqualTo(Verdict.UNKNOWN_OPCODE);
        assertThat(parse(Vectors.RXE_ACK, 43, 0x01)).isEqualTo(Verdict.BAD_TRANSPORT_VERSION);
        assertThat(parse(Vectors.RXE_ACK, 43, 0x30)).isEqualTo(Verdict.BAD_PAD);
        assertThat(parse(Vectors.SCAPY_UC_SEND_ONLY_V6, 14, 0x4e)).isEqualTo(Verdict.BAD_IP_HEADER);
    }

    private Verdict parse(Vectors vector, int at, int value) {
        byte[] bytes = vector.bytes();
        bytes[at] = (byte) value;
        return packet.parse(Vectors.frameOf(bytes));
    }

    /** Whatever comes, a verdict; and when it is ROCE, payload lies inside of the frame. */
    @ParameterizedTest
    @EnumSource
    void shouldSurviveMutatedFrames(Vectors vector) {
        Random random = new Random(vector.ordinal());
        Frame frame = vector.frame();
        byte[] good = vector.bytes();
        for (int i = 0; i < MUTATIONS; i++) {
            byte[] bad = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            for (int n = random.nextInt(4); n >= 0; n--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            frame.copyOf(
                    random.nextBoolean() || bad.length < 43 ? bad : mutatedWhole(good, random));
            if (packet.parse(frame) == Verdict.ROCE) {
                assertThat(packet.payload() + packet.payloadLength())
                        .isLessThanOrEqualTo(packet.icrc());
                assertThat(packet.icrc() + Icrc.SIZE).isLessThanOrEqualTo(frame.length());
                assertThat(packet.toString()).isNotEmpty();
            }
        }
    }

    private static byte[] mutatedWhole(byte[] good, Random random) {
        byte[] bad = good.clone();
        bad[42 + random.nextInt(2)] = (byte) random.nextInt();
        return bad;
    }
}
