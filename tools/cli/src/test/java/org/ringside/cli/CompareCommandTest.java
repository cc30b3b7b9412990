package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recordings by hand, with one connection each, and what `ringside compare` says of them. */
class CompareCommandTest {
    @TempDir Path directory;

    private Path recording;

    @BeforeEach
    void recordOnce() throws IOException {
        recording = write("a.jsonl", life("a", "7", "0x1000", "3"));
    }

    private static String command(String function, String name, String in, String out) {
        return """
        {"t":1.0,"fn":"%s","kind":"command","name":"%s","slot":"0","delivery":"OK",\
        "entry":{"type":"7","token":"%s"},"in":{"opcode":"%s"%s},"inFields":"10",\
        "out":{%s},"outFields":"3"}\
        """
                .formatted(function, name, Integer.toString(name.length()), name, in, out);
    }

    /** A driver that opens, connects one RC QP and closes. */
    private static List<String> life(
            String function, String logCqSize, String dbrAddr, String retryCount) {
        return List.of(
                "{\"t\":0.1,\"fn\":\"%s\",\"kind\":\"reset\",\"name\":\"DEVICE\"}"
                        .formatted(function),
                command(function, "ENABLE_HCA", "", ""),
                command(function, "ALLOC_PD", "", "\"pd\":\"1\""),
                command(
                        function,
                        "CREATE_CQ",
                        ",\"cq_context.log_cq_size\":\"%s\",\"cq_context.dbr_addr\":\"%s\""
                                .formatted(logCqSize, dbrAddr),
                        "\"cqn\":\"4\""),
                command(
                        function,
                        "CREATE_QP",
                        ",\"qpc.pd\":\"1\",\"qpc.cqn_snd\":\"4\",\"qpc.cqn_rcv\":\"4\"",
                        "\"qpn\":\"0x40\""),
                command(
                        function,
                        "RTR2RTS_QP",
                        ",\"qpn\":\"0x40\",\"qpc.retry_count\":\"%s\"".formatted(retryCount),
                        ""),
                command(function, "DISABLE_HCA", "", ""));
    }

    private Path write(String name, List<String> lines) throws IOException {
        return Files.write(directory.resolve(name), lines);
    }

    private Outcome compare(List<String> other, String... table) throws IOException {
        return Outcome.of(
                "compare",
                "ours=" + recording,
                "theirs=" + write("b.jsonl", other),
                "--table=" + write("table.txt", List.of(table)));
    }

    @Test
    void shouldFindTwoEqualRecordingsEqual() throws IOException {
        Outcome outcome = compare(life("b", "7", "0x1000", "3"));
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .contains("== RTR to RTS: 1 steps, 20 fields, 20 equal")
                .contains(
                        "ours and theirs: 120 fields compared in 6 steps, 6 of them commands: 120"
                                + " equal, 0 numbers, 0 derived, 0 addresses, 0 argued, 0 unargued");
    }

    @Test
    void shouldFailOnADifferenceThatNobodyArguedFor() throws IOException {
        Outcome outcome = compare(life("b", "7", "0x1000", "-3"));
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("RTR2RTS_QP qpc.retry_count: ours 3, theirs -3")
                .contains("RTR2RTS_QP | qpc.retry_count | ours 3, theirs -3 | ")
                .contains("1 unargued");
    }

    @Test
    void shouldTakeArgumentsForExactlyWhatTheySay() throws IOException {
        String choice = "CREATE_CQ | cq_context.log_cq_size | ours 7, theirs 8 | a page each";
        String address = "* | cq_context.dbr_addr | address | each has its own";
        Outcome good = compare(life("b", "8", "0x2000", "3"), choice, address);
        assertThat(good.code()).isZero();
        assertThat(good.out()).contains("a page each").contains("1 addresses, 1 argued");
        assertThat(compare(life("b", "9", "0x2000", "3"), choice, address).code())
                .as("another value than the one argued for")
                .isEqualTo(1);
        assertThat(compare(life("b", "8", "0x0", "3"), choice, address).code())
                .as("zero is no address")
                .isEqualTo(1);
    }

    @Test
    void shouldNameRowsThatNothingNeeds() throws IOException {
        Outcome outcome = compare(life("b", "7", "0x1000", "3"), "X | y | ours 1, theirs 2 | old");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("nothing needed").contains("line 1: X | y");
    }

    @Test
    void shouldTellAStepThatOnlyOneDriverTakes() throws IOException {
        List<String> more = new ArrayList<>(life("b", "7", "0x1000", "3"));
        more.add(2, command("b", "QUERY_ADAPTER", "", ""));
        Outcome outcome = compare(more);
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out()).contains("QUERY_ADAPTER | * | ours -, theirs present | ");
    }

    @Test
    void shouldTakeTheLifeThatHasAConnection() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(command("b", "ENABLE_HCA", "", ""));
        lines.add(command("b", "DISABLE_HCA", "", ""));
        lines.addAll(life("b", "7", "0x1000", "3"));
        assertThat(compare(lines).code()).isZero();
    }

    @Test
    void shouldSayWhatARecordingLacks() throws IOException {
        Outcome none = compare(List.of(command("b", "ENABLE_HCA", "", "")));
        assertThat(none.code()).as("not 1, which says that they differ").isEqualTo(2);
        assertThat(none.err()).contains("no RC QP of function b reached RTS");
        Outcome empty = compare(List.of());
        assertThat(empty.code()).isEqualTo(2);
        assertThat(empty.err()).contains("b.jsonl: nothing is recorded there");
        Outcome table = compare(life("b", "7", "0x1000", "3"), "a | b | c");
        assertThat(table.err()).contains("table.txt:1: a row is KEY | FIELD | WHAT | REASON");
        List<String> both = new ArrayList<>(life("b", "7", "0x1000", "3"));
        both.addAll(life("c", "7", "0x1000", "3"));
        assertThat(compare(both).err()).contains("has the functions b, c; name one");
    }
}
