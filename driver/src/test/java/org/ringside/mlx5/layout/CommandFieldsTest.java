package org.ringside.mlx5.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** A command taken apart for a recording: nothing is lost, nothing is there twice. */
final class CommandFieldsTest {
    private static MemorySegment command(int opcode, int bytes) {
        MemorySegment in = MemorySegment.ofArray(new byte[bytes]);
        CommandIn.OPCODE.set(in, 0, opcode);
        return in;
    }

    @Test
    void shouldNameWhatIsNotZero() {
        MemorySegment in = command(Opcode.CREATE_CQ, CreateCqIn.PAS.byteSizeWith(2));
        Cqc.LOG_CQ_SIZE.set(in, CreateCqIn.CQ_CONTEXT.offset(), 7);
        CreateCqIn.PAS.set(in, 0, 0, 0x12000);
        CommandFields fields = CommandFields.in(in);
        assertThat(fields.values())
                .containsExactly(
                        entry("opcode", "CREATE_CQ(0x400)"),
                        entry("cq_context.log_cq_size", "7"),
                        entry("pas", "0x12000,0x0"));
        assertThat(fields.count()).isGreaterThan(Cqc.LAYOUT.fields().size());
    }

    @Test
    void shouldShowTheCapabilitiesInsteadOfTheirBytes() {
        MemorySegment in = command(Opcode.SET_HCA_CAP, SetHcaCapIn.LAYOUT.byteSize());
        CmdHcaCap.LOG_MAX_QP.set(in, SetHcaCapIn.CAPABILITY.offset(), 18);
        CommandFields fields = CommandFields.in(in);
        assertThat(fields.values())
                .containsExactly(
                        entry("opcode", "SET_HCA_CAP(0x109)"),
                        entry("cmd_hca_cap.log_max_qp", "0x12"));
        assertThat(fields.count()).isGreaterThan(300);
    }

    @Test
    void shouldKeepTheBytesWhenABitHasNoName() {
        MemorySegment in = command(Opcode.ALLOC_PD, 16);
        in.set(Field.BE32, 8, 1);
        assertThat(CommandFields.in(in).values())
                .containsExactly(
                        entry("opcode", "ALLOC_PD(0x800)"),
                        entry("raw", "08000000000000000000000100000000"));
    }

    @Test
    void shouldKeepTheBytesOfAnUnknownCommandAndOfOneTooLong() {
        MemorySegment unknown = command(0xfff, 16);
        unknown.set(Field.BE32, 8, 1);
        assertThat(CommandFields.in(unknown).values()).containsKey("raw");
        MemorySegment longer = command(Opcode.ALLOC_PD, 32);
        longer.set(Field.BE32, 28, 1);
        assertThat(CommandFields.in(longer).values()).containsKey("raw");
        assertThat(CommandFields.in(command(Opcode.ALLOC_PD, 32)).values())
                .doesNotContainKey("raw");
    }

    @Test
    void shouldShowOnlyStatusAndSyndromeOfARefusal() {
        MemorySegment in = command(Opcode.CREATE_CQ, CreateCqIn.LAYOUT.byteSize());
        MemorySegment out = MemorySegment.ofArray(new byte[CreateCqOut.LAYOUT.byteSize()]);
        CommandOut.STATUS.set(out, 0, CommandStatus.BAD_RES);
        CommandOut.SYNDROME.set(out, 0, 0x1234);
        assertThat(CommandFields.out(in, out).values())
                .containsExactly(entry("status", "BAD_RES(5)"), entry("syndrome", "0x1234"));
    }

    @Test
    void shouldTakeAShortAnswerApartAsFarAsItGoes() {
        MemorySegment in = command(Opcode.QUERY_QP, QueryQpIn.LAYOUT.byteSize());
        MemorySegment out = MemorySegment.ofArray(new byte[8]);
        CommandFields fields = CommandFields.out(in, out);
        assertThat(fields.values()).isEmpty();
        assertThat(fields.count()).isEqualTo(2);
    }
}
