package org.ringside.emulator.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;
import org.ringside.verbs.WorkCompletions;

/** What driver and device say to each other is in the file, whole and in order. */
@Timeout(60)
class RecordingTest {
    @TempDir Path directory;

    private Path file() {
        return directory.resolve("recording.jsonl");
    }

    /** One RC message from a QP to another, recorded. */
    private List<RecordedEvent> message(String options) throws Exception {
        try (Context context =
                Verbs.open("emulated/told?record=" + file() + "&profile=ib" + options)) {
            ProtectionDomain pd = context.createPd();
            CompletionQueue cq = context.createCq(16);
            DeviceBuffer buffer = context.allocate(4096);
            MemoryRegion region = pd.register(buffer, EnumSet.allOf(Access.class));
            QueuePair a = pd.createQp(new QpOptions(cq));
            QueuePair b = pd.createQp(new QpOptions(cq));
            a.connect(b.endpoint());
            b.connect(a.endpoint());
            b.postRecv(1, region.lkey(), region.address(), 64);
            a.postSend(2, SendFlags.SIGNALED, region.lkey(), region.address() + 64, 24);
            WorkCompletions done = new WorkCompletions(4);
            for (int polled = 0; polled < 2; ) {
                int n = cq.poll(done);
                for (int i = 0; i < n; i++) {
                    assertThat(done.status(i)).isEqualTo(WcStatus.SUCCESS);
                }
                polled += n;
                Thread.onSpinWait();
            }
        }
        return RecordedEvent.read(file());
    }

    private static List<RecordedEvent> of(List<RecordedEvent> all, String kind, String name) {
        return all.stream()
                .filter(event -> event.kind().equals(kind) && event.name().equals(name))
                .toList();
    }

    @Test
    void shouldHaveCommandsWithInputAndOutput() throws Exception {
        List<RecordedEvent> all = message("");
        List<RecordedEvent> commands =
                all.stream().filter(event -> event.kind().equals("command")).toList();
        assertThat(commands).extracting(RecordedEvent::name).startsWith("ENABLE_HCA");
        assertThat(commands).extracting(RecordedEvent::name).endsWith("DISABLE_HCA");
        assertThat(commands).extracting(event -> event.value("delivery")).containsOnly("OK");

        RecordedEvent qp = of(all, "command", "CREATE_QP").getFirst();
        assertThat(qp.function()).isEqualTo("told");
        assertThat(qp.part("entry"))
                .contains(entry("type", "7"), entry("ownership", "1"))
                .containsKey("input_mailbox_pointer_31_9");
        assertThat(qp.part("in"))
                .contains(entry("opcode", "CREATE_QP(0x500)"), entry("qpc.pd", "1"))
                .containsKeys("qpc.dbr_addr", "pas")
                .doesNotContainKey("raw");
        assertThat(qp.part("out")).containsOnly(entry("qpn", "0x40"));
        assertThat(Integer.parseInt(qp.value("inFields"))).isGreaterThan(100);
    }

    @Test
    void shouldHaveWhatIsInsideOfCapabilityAndRegisterCommands() throws Exception {
        List<RecordedEvent> all = message("");
        assertThat(of(all, "command", "SET_HCA_CAP").getFirst().part("in"))
                .containsKey("cmd_hca_cap.log_max_qp")
                .doesNotContainKeys("capability", "raw");
        assertThat(of(all, "command", "QUERY_HCA_CAP").getFirst().part("out"))
                .containsKey("cmd_hca_cap.log_max_qp");
        assertThat(of(all, "command", "ACCESS_REG").getFirst().part("out"))
                .anySatisfy((path, value) -> assertThat(path).contains("_reg."));
    }

    @Test
    void shouldHaveEveryPageOfAList() throws Exception {
        RecordedEvent give =
                of(message("&bootPages=700"), "command", "MANAGE_PAGES").stream()
                        .filter(event -> event.part("in").containsKey("pas"))
                        .findFirst()
                        .orElseThrow();
        String count = give.part("in").get("input_num_entries");
        assertThat(give.part("in").get("pas").split(","))
                .hasSize(Integer.decode(count))
                .doesNotContain("0x0");
    }

    @Test
    void shouldHaveRegisterAccesses() throws Exception {
        List<RecordedEvent> all = message("");
        assertThat(all.getFirst().kind()).isEqualTo("reset");
        assertThat(of(all, "read", "0x4").getFirst().part("fields"))
                .contains(entry("cmd_interface_rev", "5"));
        assertThat(of(all, "write", "0x14").getFirst().part("fields"))
                .containsKey("cmdq_phy_addr_31_12");
        assertThat(of(all, "write", "0x18").getFirst().part("fields"))
                .containsOnly(entry("command_doorbell_vector", "1"));
    }

    private void shouldHaveTheDataPath(String options, String seen) throws Exception {
        List<RecordedEvent> all = message(options);
        RecordedEvent send = of(all, "doorbell", "send").getFirst();
        assertThat(send.value("seen")).isEqualTo(seen);
        assertThat(send.value("offset")).isEqualTo("0x800");
        assertThat(send.part("fields"))
                .containsOnly(
                        entry("opcode", "SEND"),
                        entry("wqe_index", "0"),
                        entry("op_mod", "0"),
                        entry("qpn", "0x40"),
                        entry("ds", "2"));
        assertThat(of(all, "cqe", "REQ").getFirst().part("fields"))
                .contains(
                        entry("byte_cnt", "0x18"),
                        entry("qpn", "0x40"),
                        entry("send_wqe_opcode", "SEND(0xa)"));
        assertThat(of(all, "cqe", "RESP_SEND").getFirst().part("fields"))
                .contains(entry("byte_cnt", "0x18"), entry("opcode", "RESP_SEND(2)"));
        assertThat(of(all, "eqe", "CMD").getFirst().part("fields"))
                .contains(entry("cmd_inter_comp_event.command_completion_vector", "1"));
        assertThat(of(all, "doorbell", "eq_arm").getFirst().part("fields"))
                .contains(entry("eqn", "1"));
    }

    @Test
    void shouldHaveTheDataPathWithMappedDoorbells() throws Exception {
        shouldHaveTheDataPath("", "polled");
    }

    @Test
    void shouldHaveTheDataPathWithTrappedDoorbells() throws Exception {
        shouldHaveTheDataPath("&doorbells=trapped", "trapped");
    }

    @Test
    void shouldLetTwoFunctionsShareAFile() throws Exception {
        String option = "?wire=both&record=" + file();
        try (Context first = Verbs.open("emulated/first" + option)) {
            try (Context second = Verbs.open("emulated/second" + option)) {
                second.createPd().close();
            }
            first.createPd().close();
        }
        assertThat(of(RecordedEvent.read(file()), "command", "DEALLOC_PD"))
                .extracting(RecordedEvent::function)
                .containsExactly("second", "first");
    }

    @Test
    void shouldSayWhyAFileCannotBeWritten() {
        assertThatThrownBy(() -> Verbs.open("emulated?record=/no/such/place"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("the recording cannot be written to /no/such/place")
                .hasMessageContaining("NoSuchFileException");
    }

    @Test
    void shouldReadBackWhatItWrote() throws Exception {
        Recording recording = Recording.open(file());
        String odd = "quote \" backslash \\ tab \t end";
        recording.write(
                recording.line("f", "kind", odd).put("n", 7).put("p", Map.of(odd, odd)), true);
        List<RecordedEvent> events = RecordedEvent.read(file());
        recording.release();
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().name()).isEqualTo(odd);
        assertThat(events.getFirst().value("n")).isEqualTo("7");
        assertThat(events.getFirst().part("p")).containsOnly(entry(odd, odd));
    }

    @Test
    void shouldSayWhichLineIsNone() throws Exception {
        for (String bad :
                List.of("{\"t\":1", "nonsense", "{\"a\":[]}", "{}x", "{\"a\":\"\\u00\"")) {
            Files.writeString(file(), "{}\n" + bad + "\n");
            assertThatThrownBy(() -> RecordedEvent.read(file()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("recording.jsonl:2 is no line of a recording: column");
        }
    }
}
