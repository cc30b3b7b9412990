package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldTest {
    private static final int BASE = 8;

    private static MemorySegment memory() {
        return MemorySegment.ofArray(new byte[32]);
    }

    private static String hex(MemorySegment segment) {
        return HexFormat.of().formatHex(segment.asSlice(BASE, 16).toArray(JAVA_BYTE));
    }

    @ParameterizedTest
    @CsvSource({
        "31, 31, 1, 80000000",
        "0, 0, 1, 00000001",
        "31, 28, 0xa, a0000000",
        "23, 0, 0xabcdef, 00abcdef",
        "15, 8, 0xff, 0000ff00",
        "30, 0, 0x7fffffff, 7fffffff",
        "31, 0, 0xdeadbeef, deadbeef",
        "17, 15, 0x5, 00028000",
    })
    void shouldPutBitsWhereTheManualCountsThem(int msb, int lsb, String value, String dword) {
        Field field = new Field("f", 4, lsb, msb - lsb + 1, null);
        MemorySegment memory = memory();

        field.set(memory, BASE, Long.decode(value));

        assertThat(hex(memory)).isEqualTo("00000000" + dword + "0000000000000000");
        assertThat(field.get(memory, BASE)).isEqualTo(Long.decode(value));
    }

    @Test
    void shouldStoreSixtyFourBitsHighDwordFirst() {
        Field field = new Field("address", 4, 0, 64, null);
        MemorySegment memory = memory();

        field.set(memory, BASE, 0xfedc_ba98_7654_3210L);

        assertThat(hex(memory)).isEqualTo("00000000" + "fedcba9876543210" + "00000000");
        assertThat(field.get(memory, BASE)).isEqualTo(0xfedc_ba98_7654_3210L);
    }

    @Test
    void shouldLeaveNeighboursAlone() {
        MemorySegment memory = memory();
        memory.fill((byte) 0xff);

        new Field("f", 0, 8, 12, null).set(memory, BASE, 0);

        assertThat(hex(memory)).startsWith("fff000ff" + "ffffffff");
        assertThat(memory.get(JAVA_BYTE, BASE - 1)).isEqualTo((byte) 0xff);
    }

    @Test
    void shouldRoundTripTheGreatestValueOfEveryWidth() {
        for (int width = 1; width <= 32; width++) {
            for (int lsb = 0; lsb + width <= 32; lsb++) {
                Field field = new Field("f", 0, lsb, width, null);
                MemorySegment memory = memory();
                field.set(memory, BASE, field.maxValue());
                assertThat(field.get(memory, BASE)).isEqualTo(field.maxValue());
                assertThat(Integer.bitCount(memory.get(Field.BE32, BASE))).isEqualTo(width);
                field.set(memory, BASE, 0);
                assertThat(memory.get(Field.BE32, BASE)).isZero();
            }
        }
    }

    @Test
    void shouldRefuseValueThatDoesNotFitAndWriteNothing() {
        Field field = new Field("retry_count", 4, 16, 3, null);
        MemorySegment memory = memory();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> field.set(memory, BASE, 8))
                .withMessage("retry_count is 3 bits wide at 0x4:18-16; 0x8 does not fit");
        assertThatIllegalArgumentException().isThrownBy(() -> field.set(memory, BASE, -1));
        assertThat(hex(memory)).isEqualTo("0".repeat(32));
    }

    @Test
    void shouldReadSignedNumbers() {
        MemorySegment memory = memory();
        QueryPagesOut.NUM_PAGES.set(memory, 0, 0xffff_ffecL);

        assertThat(QueryPagesOut.NUM_PAGES.getSigned(memory, 0)).isEqualTo(-20);
        assertThat(QueryPagesOut.NUM_PAGES.get(memory, 0)).isEqualTo(0xffff_ffecL);
    }

    @Test
    void shouldWorkOnRegistersReadAsDwords() {
        int dword = InitialSeg.LOG_CMDQ_STRIDE.insert(0x1234_5050, 6);

        assertThat(dword).isEqualTo(0x1234_5056);
        assertThat(InitialSeg.LOG_CMDQ_SIZE.extract(dword)).isEqualTo(5);
        assertThat(InitialSeg.CMDQ_PHY_ADDR_31_12.extract(dword)).isEqualTo(0x12345);
        assertThatThrownBy(() -> Qpc.DBR_ADDR.extract(0))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldReadAndWriteArrays() {
        MemorySegment memory = MemorySegment.ofArray(new byte[CreateCqIn.PAS.byteSizeWith(2)]);
        CreateCqIn.PAS.set(memory, 0, 1, 0xffff_ffff_f000L);

        assertThat(memory.byteSize()).isEqualTo(0x110 + 16);
        assertThat(CreateCqIn.PAS.count(memory.byteSize())).isEqualTo(2);
        assertThat(memory.get(Field.BE64, 0x118)).isEqualTo(0xffff_ffff_f000L);
        assertThat(CreateCqIn.PAS.get(memory, 0, 1)).isEqualTo(0xffff_ffff_f000L);
        assertThatThrownBy(() -> CreateCqIn.PAS.getBytes(memory, 0))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldCopyByteArraysAndCheckTheirSize() {
        MemorySegment memory = MemorySegment.ofArray(new byte[Ads.LAYOUT.byteSize()]);
        byte[] gid = HexFormat.of().parseHex("00000000000000000000ffff0a000001");

        Ads.RGID_RIP.setBytes(memory, 0, gid);

        assertThat(Ads.RGID_RIP.getBytes(memory, 0)).isEqualTo(gid);
        assertThat(memory.get(Field.BE32, 0x1c)).isEqualTo(0x0a00_0001);
        assertThat(Ads.RGID_RIP.get(memory, 0, 10)).isEqualTo(0xff);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ads.RGID_RIP.setBytes(memory, 0, new byte[4]))
                .withMessage("rgid_rip takes 16 bytes, not 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ads.RGID_RIP.set(memory, 0, 0, 0x100));
        assertThatThrownBy(() -> Ads.RGID_RIP.get(memory, 0, 16))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
