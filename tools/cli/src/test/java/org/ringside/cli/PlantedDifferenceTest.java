package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.verbs.Access;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpTransitions.ToInit;
import org.ringside.verbs.QpTransitions.ToRtr;
import org.ringside.verbs.QpTransitions.ToRts;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/** Real recordings of our driver, one of them changed in one place: each change is found. */
class PlantedDifferenceTest {
    private static final int PSN = 0x123456;

    @TempDir static Path directory;

    private static Path first;
    private static List<String> second;

    @BeforeAll
    static void recordTwice() throws Exception {
        first = record("first");
        second = Files.readAllLines(record("second"));
    }

    private static Path record(String name) throws VerbsException {
        Path file = directory.resolve(name + ".jsonl");
        try (Context context = Verbs.open("emulated/planted?profile=ib&record=" + file);
                ProtectionDomain pd = context.createPd();
                DeviceBuffer buffer = context.allocate(4096);
                MemoryRegion mr = pd.register(buffer, EnumSet.allOf(Access.class));
                CompletionQueue cq = context.createCq(16);
                QueuePair left = pd.createQp(new QpOptions(cq));
                QueuePair right = pd.createQp(new QpOptions(cq))) {
            connect(left, right);
            connect(right, left);
            assertThat(mr.lkey()).isNotZero();
        }
        return file;
    }

    private static void connect(QueuePair qp, QueuePair peer) throws VerbsException {
        qp.toInit(new ToInit(1, 0, EnumSet.allOf(Access.class)));
        AddressVector path = AddressVector.to(peer.endpoint(), 0);
        qp.toRtr(new ToRtr(path, Mtu.MTU_1024, peer.number(), PSN, 1, 12));
        qp.toRts(new ToRts(PSN, 14, 7, 7, 1));
    }

    private static Outcome compare(List<String> lines) throws IOException {
        Path file = Files.write(directory.resolve("planted.jsonl"), lines);
        return Outcome.of("compare", "ours=" + first, "planted=" + file);
    }

    private static Predicate<String> isCommand(String name) {
        return line -> line.contains("\"name\":\"" + name + "\"");
    }

    @Test
    void shouldFindNothingBetweenTwoRunsOfOneDriver() throws IOException {
        Outcome outcome = compare(second);
        assertThat(outcome.out()).contains(" 0 argued, 0 unargued");
        assertThat(outcome.code()).isZero();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE_QP | qpc.pd | 0x77 | own PD",
                "CREATE_QP | qpc.cqn_snd | 0x77 | own CQ",
                "CREATE_QP | qpc.uar_page | 0x77 | QP's UAR",
                "CREATE_QP | qpc.log_sq_size | 0xb | ",
                "CREATE_QP | pas | 0x0 | ",
                "CREATE_CQ | cq_context.c_eqn_or_apu_element | 0x77 | own EQ",
                "CREATE_CQ | cq_context.dbr_addr | 0x0 | ",
                "CREATE_MKEY | memory_key_mkey_entry.pd | 0x77 | ",
                "CREATE_MKEY | memory_key_mkey_entry.qpn | 0x77 | 0xffffff",
                "RST2INIT_QP | qpc.pm_state | 1 | 3",
                "INIT2RTR_QP | qpc.remote_qpn | 0x77 | peer QP",
                "INIT2RTR_QP | qpc.log_msg_max | 2 | 0x1e",
                "RTR2RTS_QP | qpc.retry_count | 1 | 7",
                "DESTROY_QP | qpn | 0x77 | ",
                "SET_ISSI | current_issi | 2 | 1",
                "CREATE_EQ | event_bitmask | 0x800 | "
            })
    void shouldFindAnotherValue(String command, String field, String value, String ours)
            throws IOException {
        List<String> lines = new ArrayList<>(second);
        String pattern = "\"" + field + "\":\"[^\"]*\"";
        int changed = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (isCommand(command).test(lines.get(i))) {
                String line = lines.get(i);
                lines.set(i, line.replaceFirst(pattern, "\"" + field + "\":\"" + value + "\""));
                changed += lines.get(i).equals(line) ? 0 : 1;
            }
        }
        assertThat(changed).isPositive();
        Outcome outcome = compare(lines);
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.out())
                .contains(command)
                .contains(
                        ours == null
                                ? "UNARGUED"
                                : field + ": ours " + ours + ", planted " + value);
    }

    @Test
    void shouldFindAFieldThatIsLeftOut() throws IOException {
        List<String> lines = new ArrayList<>(second);
        lines.replaceAll(
                line ->
                        isCommand("RTR2RTS_QP").test(line)
                                ? line.replace("\"qpc.rnr_retry\":\"7\",", "")
                                : line);
        Outcome outcome = compare(lines);
        assertThat(outcome.out()).contains("RTR2RTS_QP qpc.rnr_retry: ours 7, planted -");
        assertThat(outcome.code()).isEqualTo(1);
    }

    @Test
    void shouldFindACommandThatIsLeftOut() throws IOException {
        List<String> lines = new ArrayList<>(second);
        lines.removeIf(isCommand("SET_ISSI"));
        Outcome outcome = compare(lines);
        assertThat(outcome.out()).contains("SET_ISSI | * | ours present, planted - | ");
        assertThat(outcome.code()).isEqualTo(1);
    }

    @Test
    void shouldFindACommandThatComesEarlier() throws IOException {
        List<String> lines = new ArrayList<>(second);
        int query = indexOf(lines, isCommand("QUERY_ISSI"));
        int set = indexOf(lines, isCommand("SET_ISSI"));
        lines.add(query, lines.remove(set));
        Outcome outcome = compare(lines);
        assertThat(outcome.out()).contains(" order: ").contains("after ENABLE_HCA");
        assertThat(outcome.code()).isEqualTo(1);
    }

    private static int indexOf(List<String> lines, Predicate<String> wanted) {
        for (int i = 0; i < lines.size(); i++) {
            if (wanted.test(lines.get(i))) {
                return i;
            }
        }
        throw new AssertionError("no such line");
    }
}
