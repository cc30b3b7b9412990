package org.ringside.verbs.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link Abi} against the C compiler's view of infiniband/verbs.h, where both are here. */
class AbiTest {
    /** Structures by the class that has their offsets. */
    private static final Map<Class<?>, String> STRUCTURES =
            Map.ofEntries(
                    Map.entry(Abi.Device.class, "ibv_device"),
                    Map.entry(Abi.Context.class, "ibv_context"),
                    Map.entry(Abi.DeviceAttr.class, "ibv_device_attr"),
                    Map.entry(Abi.PortAttr.class, "ibv_port_attr"),
                    Map.entry(Abi.Pd.class, "ibv_pd"),
                    Map.entry(Abi.Mr.class, "ibv_mr"),
                    Map.entry(Abi.CompChannel.class, "ibv_comp_channel"),
                    Map.entry(Abi.Cq.class, "ibv_cq"),
                    Map.entry(Abi.CqEx.class, "ibv_cq_ex"),
                    Map.entry(Abi.CqInitAttrEx.class, "ibv_cq_init_attr_ex"),
                    Map.entry(Abi.PollCqAttr.class, "ibv_poll_cq_attr"),
                    Map.entry(Abi.Wc.class, "ibv_wc"),
                    Map.entry(Abi.Qp.class, "ibv_qp"),
                    Map.entry(Abi.QpEx.class, "ibv_qp_ex"),
                    Map.entry(Abi.QpInitAttr.class, "ibv_qp_init_attr"),
                    Map.entry(Abi.QpInitAttrEx.class, "ibv_qp_init_attr_ex"),
                    Map.entry(Abi.QpAttr.class, "ibv_qp_attr"),
                    Map.entry(Abi.Sge.class, "ibv_sge"),
                    Map.entry(Abi.SendWr.class, "ibv_send_wr"),
                    Map.entry(Abi.RecvWr.class, "ibv_recv_wr"),
                    Map.entry(Abi.AsyncEvent.class, "ibv_async_event"));

    /** Constants that are no offsets, by what they are in C. */
    private static final Map<String, String> VALUES =
            Map.ofEntries(
                    Map.entry("Device.NAME_MAX", "IBV_SYSFS_NAME_MAX"),
                    Map.entry("Device.PATH_MAX", "IBV_SYSFS_PATH_MAX"),
                    Map.entry("Context.IS_EXTENDED", "(long) __VERBS_ABI_IS_EXTENDED"),
                    Map.entry("DeviceAttr.ATOMIC_NONE", "IBV_ATOMIC_NONE"),
                    Map.entry("PortAttr.ACTIVE", "IBV_PORT_ACTIVE"),
                    Map.entry("PortAttr.ETHERNET", "IBV_LINK_LAYER_ETHERNET"),
                    Map.entry(
                            "CqInitAttrEx.WITH_USUAL",
                            "IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM"),
                    Map.entry("Wc.WITH_IMM", "IBV_WC_WITH_IMM"),
                    Map.entry("Wc.RECV", "IBV_WC_RECV"),
                    Map.entry("QpInitAttr.RC", "IBV_QPT_RC"),
                    Map.entry("QpInitAttr.UC", "IBV_QPT_UC"),
                    Map.entry(
                            "QpInitAttrEx.WITH_PD_AND_SEND_OPS",
                            "IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS"),
                    Map.entry(
                            "QpInitAttrEx.UNRELIABLE_OPS",
                            "IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM"
                                    + " | IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM"),
                    Map.entry(
                            "QpInitAttrEx.RELIABLE_OPS_WITHOUT_ATOMICS",
                            "IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM"
                                    + " | IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM"
                                    + " | IBV_QP_EX_WITH_RDMA_READ"),
                    Map.entry(
                            "QpInitAttrEx.RELIABLE_OPS",
                            "IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM"
                                    + " | IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM"
                                    + " | IBV_QP_EX_WITH_RDMA_READ"
                                    + " | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP"
                                    + " | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD"),
                    Map.entry("SendWr.FENCE", "IBV_SEND_FENCE"),
                    Map.entry("SendWr.SIGNALED", "IBV_SEND_SIGNALED"),
                    Map.entry("SendWr.SOLICITED", "IBV_SEND_SOLICITED"),
                    Map.entry("SendWr.INLINE", "IBV_SEND_INLINE"));

    @Test
    void shouldBeAsTheCompilerSees(@TempDir Path directory) throws Exception {
        Map<String, Long> ours = new LinkedHashMap<>();
        Map<String, String> inC = new LinkedHashMap<>();
        for (Class<?> group : Abi.class.getDeclaredClasses()) {
            for (Field field : group.getDeclaredFields()) {
                String name = group.getSimpleName() + "." + field.getName();
                field.setAccessible(true);
                ours.put(name, ((Number) field.get(null)).longValue());
                inC.put(name, expression(group, field.getName(), name));
            }
        }
        assertThat(ours).hasSizeGreaterThan(150);
        assertThat(compiled(directory, inC)).isEqualTo(ours);
    }

    private static String expression(Class<?> group, String field, String name) {
        String value = VALUES.get(name);
        if (value != null) {
            return value;
        }
        if (group == Abi.QpMask.class) {
            return "IBV_QP_" + field;
        }
        if (group == Abi.WrOpcode.class) {
            return "IBV_WR_" + field;
        }
        if (group == Abi.Extended.class) {
            return "(long) offsetof(struct verbs_context, %s) - (long) offsetof(struct verbs_context, context)"
                    .formatted(field.toLowerCase(Locale.ROOT));
        }
        String structure = "struct " + STRUCTURES.get(group);
        return field.equals("SIZE")
                ? "sizeof(" + structure + ")"
                : "offsetof(%s, %s)".formatted(structure, member(field));
    }

    /** A member of a member has the name of that one in front. */
    private static String member(String field) {
        return field.toLowerCase(Locale.ROOT)
                .replaceFirst("^ops_", "ops.")
                .replaceFirst("^cap_", "cap.")
                .replaceFirst("^ah_grh_", "ah_attr.grh.")
                .replaceFirst("^ah_(?!attr)", "ah_attr.")
                .replaceFirst("^wr_(rdma|atomic)_(rkey|remote_addr|compare_add|swap)$", "wr.$1.$2");
    }

    private static Map<String, Long> compiled(Path directory, Map<String, String> expressions)
            throws IOException, InterruptedException {
        String lines =
                expressions.entrySet().stream()
                        .map(
                                each ->
                                        "printf(\"%s %%ld\\n\", (long) (%s));\n"
                                                .formatted(each.getKey(), each.getValue()))
                        .collect(Collectors.joining());
        Path source = directory.resolve("abi.c");
        Files.writeString(
                source,
                "#include <infiniband/verbs.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void)\n{\n"
                        + lines
                        + "return 0;\n}\n");
        assumeTrue(
                run(
                                directory,
                                "cc",
                                "-fsyntax-only",
                                "-include",
                                "infiniband/verbs.h",
                                "-xc",
                                "/dev/null")
                        .good(),
                "no C compiler with rdma-core's headers here (Debian: apt-get install gcc libibverbs-dev)");
        Outcome compiler = run(directory, "cc", "-o", "abi", "abi.c");
        assertThat(compiler.good()).as(compiler.said()).isTrue();
        Map<String, Long> found = new LinkedHashMap<>();
        run(directory, directory.resolve("abi").toString())
                .said()
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(word -> found.put(word[0], Long.parseLong(word[1])));
        return found;
    }

    private record Outcome(boolean good, String said) {}

    /** Runs a program; one that is not there has failed. */
    private static Outcome run(Path directory, String... command)
            throws IOException, InterruptedException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            return new Outcome(false, e.toString());
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Outcome(process.exitValue() == 0, said);
    }
}
