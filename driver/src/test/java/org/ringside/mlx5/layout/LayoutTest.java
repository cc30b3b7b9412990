package org.ringside.mlx5.layout;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LayoutTest {
    private static final long BASE = 16;

    private static final class Sample extends Layout {
        Sample() {
            super("sample", 8);
        }
    }

    static Iterable<Layout> layouts() {
        return AllLayouts.get();
    }

    /** What fields cover, counted here anew from the members' own places. */
    private static BitSet covered(Layout layout) {
        BitSet bits = new BitSet();
        cover(layout, 0, bits);
        return bits;
    }

    private static void cover(Layout layout, long start, BitSet bits) {
        for (Member member : layout.members()) {
            long from = start + member.bitOffset();
            if (member instanceof StructField struct) {
                for (int i = 0; i < Math.max(0, struct.count()); i++) {
                    cover(struct.layout(), start + struct.offset(i) * 8, bits);
                }
                continue;
            }
            int at = Math.toIntExact(from);
            int end = Math.toIntExact(from + member.bitWidth());
            assertThat(bits.get(at, end).isEmpty())
                    .as("%s.%s shares no bit", layout.name(), member.name())
                    .isTrue();
            bits.set(at, end);
        }
    }

    @Test
    void shouldFindAllTables() {
        assertThat(AllLayouts.get()).hasSizeGreaterThan(150);
        assertThat(AllLayouts.get()).contains(Qpc.LAYOUT, CmdHcaCap.LAYOUT, Cqe64.LAYOUT);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldHaveFieldsInsideThatShareNoBit(Layout layout) {
        BitSet bits = covered(layout);

        assertThat(bits.length()).isLessThanOrEqualTo(layout.byteSize() * 8);
        assertThat(layout.members()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldFindASingleBitInEveryReservedGapAndInNoField(Layout layout) {
        BitSet bits = covered(layout);
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) BASE + layout.byteSize() + 4]);
        memory.fill((byte) 0xff);
        layout.clear(memory, BASE);
        assertThat(layout.firstReservedBit(memory, BASE)).isEqualTo(-1);

        int end = layout.byteSize() * 8;
        int from = 0;
        while (from < end) {
            boolean field = bits.get(from);
            int next = field ? bits.nextClearBit(from) : bits.nextSetBit(from);
            int to = next < 0 ? end : Math.min(next, end);
            for (int bit : new int[] {from, (from + to) / 2, to - 1}) {
                long at = BASE + bit / 8;
                memory.set(JAVA_BYTE, at, (byte) (0x80 >>> bit % 8));
                assertThat(layout.firstReservedBit(memory, BASE))
                        .as("%s bit %s", layout.name(), Layout.place(bit))
                        .isEqualTo(field ? -1 : bit);
                memory.set(JAVA_BYTE, at, (byte) 0);
            }
            from = to;
        }
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void shouldRoundTripEveryField(Layout layout) {
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) BASE + layout.byteSize()]);
        for (Field field : layout.fields()) {
            field.set(memory, BASE, field.maxValue());
            assertThat(field.get(memory, BASE)).isEqualTo(field.maxValue());
            assertThat(layout.decode(memory, BASE)).contains(field.name() + "=");
            field.set(memory, BASE, 0);
        }
        assertThat(layout.decode(memory, BASE)).isEqualTo(layout.name() + "{}");
    }

    @Test
    void shouldRefuseFieldsThatOverlap() {
        Sample sample = new Sample();
        sample.field("first", 0, 15, 8);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample.bit("second", 0, 8))
                .withMessage("sample.second overlaps another field at 0x0");
        assertThatIllegalArgumentException().isThrownBy(() -> sample.qword("third", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> sample.bytes("fourth", 2, 1));
    }

    @Test
    void shouldRefuseFieldsOutside() {
        Sample sample = new Sample();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample.qword("far", 4))
                .withMessage("sample.far: no dword at 0x8 in 8 bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> sample.field("odd", 2, 3, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> sample.field("turned", 0, 3, 4));
    }

    @Test
    void shouldFindReservedBitOfAnInnerStructure() {
        MemorySegment memory = MemorySegment.ofArray(new byte[CreateQpIn.LAYOUT.byteSize()]);
        CreateQpIn.OPCODE.set(memory, 0, Opcode.CREATE_QP);
        Qpc.PD.set(memory, CreateQpIn.QPC.offset(), 5);
        assertThat(CreateQpIn.LAYOUT.firstReservedBit(memory, 0)).isEqualTo(-1);

        // qpc 0x04:27 is reserved; the QPC starts at 0x18.
        memory.set(Field.BE32, 0x1c, 0x0800_0005);

        long bit = CreateQpIn.LAYOUT.firstReservedBit(memory, 0);
        assertThat(Layout.place(bit)).isEqualTo("0x1c:27");
        assertThat(CreateQpIn.LAYOUT.decode(memory, 0))
                .isEqualTo("create_qp_in{opcode=CREATE_QP(0x500) qpc={pd=5} RESERVED 0x1c:27}");
    }

    @Test
    void shouldPrintItsTable() {
        assertThat(PaosReg.LAYOUT.toString())
                .isEqualTo(
                        """
                        paos_reg (16 bytes)
                          swid 0x0:31-24
                          local_port 0x0:23-16
                          admin_status 0x0:11-8
                          oper_status 0x0:3-0
                          ase 0x4:31-31
                          ee 0x4:30-30
                          e 0x4:1-0""");
    }
}
