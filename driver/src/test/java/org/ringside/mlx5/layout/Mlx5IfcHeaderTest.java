package org.ringside.mlx5.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Linux's header as witness for every table: name, place and width of each field, both ways. */
final class Mlx5IfcHeaderTest {
    private static final String PROPERTY = "ringside.mlx5.ifc";
    private static final String VARIABLE = "RINGSIDE_MLX5_IFC";

    /** Tables of C structures in other headers, with their own tests. */
    private static final Set<String> NOT_IN_HEADER = Set.of("cqe64", "err_cqe", "node_desc_reg");

    /** Fields of ours that the header leaves reserved, each with where it is from. */
    private static final Map<String, Set<String>> BEYOND_HEADER =
            Map.of(
                    // device.h, struct mlx5_init_seg.
                    "initial_seg",
                    Set.of(
                            "cmd_exec_to",
                            "cmd_q_init_to",
                            "internal_timer_h",
                            "internal_timer_l",
                            "real_time_h",
                            "real_time_l"),
                    // device.h, struct health_buffer.
                    "health_buffer",
                    Set.of("assert_var"),
                    // device.h, struct mlx5_eqe_page_req.
                    "pages_req_event",
                    Set.of("ec_function"),
                    // The header has uid in each command that takes one, not in the common start.
                    "cmd_in",
                    Set.of("uid"),
                    // The header has a union of the list and of an extended context before it.
                    "query_qp_out",
                    Set.of("pas"),
                    // The header has the list in the queue of the context, two structures down.
                    "create_rmp_in",
                    Set.of("pas"),
                    // What lies in memory of CREATE_UMEM: rdma-core, tests/mlx5_prm_structs.py and
                    // mlx5_ifc.h.
                    "cqc",
                    Set.of("dbr_umem_id"),
                    "qpc",
                    Set.of("dbr_umem_id"),
                    "create_cq_in",
                    Set.of("cq_umem_offset", "cq_umem_id"),
                    "modify_cq_in",
                    Set.of("cq_umem_offset", "cq_umem_id"));

    /** Fields of the header that we leave out, with the reason above. */
    private static final Map<String, Set<String>> BEYOND_US =
            Map.of(
                    "cmd_in", Set.of("command"),
                    "cmd_out", Set.of("command_output"),
                    "wq", Set.of("pas"),
                    "query_qp_out", Set.of("qp_pas_or_qpc_ext_and_pas"));

    private static Mlx5IfcHeader header;

    @BeforeAll
    static void findHeader() throws IOException {
        Optional<Path> file = locate();
        Assumptions.assumeTrue(
                file.isPresent(),
                "SKIPPED: no mlx5_ifc.h to compare layouts with. Install linux-headers (6.12 or"
                        + " later) or run hw-tests/vm/prepare, or name the file: -D"
                        + PROPERTY
                        + "=/usr/src/linux-headers-.../include/linux/mlx5/mlx5_ifc.h, or"
                        + " environment variable "
                        + VARIABLE);
        System.out.println("Layouts against " + file.get());
        header = new Mlx5IfcHeader(file.get());
        assertThat(header.count()).as("structures in the header").isGreaterThan(500);
    }

    private static Optional<Path> locate() throws IOException {
        String named = System.getProperty(PROPERTY, System.getenv(VARIABLE));
        if (named != null && !named.isBlank()) {
            assertThat(Path.of(named)).as("file named by %s", PROPERTY).isRegularFile();
            return Optional.of(Path.of(named));
        }
        String cacheHome = System.getenv("XDG_CACHE_HOME");
        Path cache =
                cacheHome == null || cacheHome.isBlank()
                        ? Path.of(System.getProperty("user.home"), ".cache")
                        : Path.of(cacheHome);
        Path rig = cache.resolve("ringside-vm");
        if (!Files.isDirectory(rig)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.find(rig, 12, (file, attributes) -> isHeader(file))) {
            return files.sorted().findFirst();
        }
    }

    private static boolean isHeader(Path file) {
        return file.endsWith("mlx5_ifc.h");
    }

    @Test
    void shouldAgreeWithLinuxOnEveryField() {
        List<String> differences = new ArrayList<>();
        int structures = 0;
        int fields = 0;
        for (Layout layout : AllLayouts.get()) {
            if (NOT_IN_HEADER.contains(layout.name())) {
                continue;
            }
            if (!header.has(layout.name())) {
                differences.add(layout.name() + ": no such structure in the header");
                continue;
            }
            structures++;
            fields += compare(layout, differences);
        }
        System.out.printf("Compared %d fields of %d structures%n", fields, structures);
        assertThat(differences).isEmpty();
        assertThat(fields).isGreaterThan(1000);
    }

    @Test
    void shouldHaveTheSizesOfLinux() {
        List<String> differences = new ArrayList<>();
        // Their last member is the one of BEYOND_US.
        Set<String> shorter = Set.of("cmd_out", "query_qp_out");
        for (Layout layout : AllLayouts.get()) {
            if (header.has(layout.name()) && !shorter.contains(layout.name())) {
                long bits = header.size(layout.name());
                if (bits != layout.byteSize() * 8L) {
                    differences.add(
                            "%s: %d bytes, header %d"
                                    .formatted(layout.name(), layout.byteSize(), bits / 8));
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldHaveTheOpcodesOfLinux() {
        Map<String, Integer> expected = new TreeMap<>(header.enumerators("MLX5_CMD_OP_"));
        // Borders of a range and op_mod values, not commands.
        expected.keySet().removeIf(name -> name.startsWith("GENERAL_") || name.startsWith("MOD_"));

        assertThat(expected).hasSizeGreaterThan(150);
        expected.forEach((name, value) -> assertThat(Opcode.name(value)).isEqualTo(name));
    }

    @Test
    void shouldHaveTheCodesOfLinux() {
        Map<String, Integer> states = header.enumerators("MLX5_QPC_STATE_");
        Map<String, Integer> syndromes = header.enumerators("MLX5_INITIAL_SEG_HEALTH_SYNDROME_");
        Map<String, Integer> modes = header.enumerators("MLX5_MKC_ACCESS_MODE_");

        assertThat(states).hasSize(8);
        assertThat(syndromes).hasSizeGreaterThanOrEqualTo(12);
        assertThat(modes).hasSizeGreaterThanOrEqualTo(7);
        states.forEach((name, value) -> assertThat(QpState.name(value)).isEqualTo(state(name)));
        syndromes.forEach((name, value) -> assertThat(HealthSyndrome.name(value)).isEqualTo(name));
        modes.forEach((name, value) -> assertThat(MkeyAccessMode.name(value)).isEqualTo(name));
    }

    /** The header has no drained state of its own; there SQD is what qp.h calls SQ_DRAINING. */
    private static String state(String name) {
        return name.equals("SQD") ? "SQ_DRAINING" : name;
    }

    private int compare(Layout layout, List<String> differences) {
        Set<String> ours = BEYOND_HEADER.getOrDefault(layout.name(), Set.of());
        Set<String> missing = new TreeSet<>();
        Map<String, Mlx5IfcHeader.Place> expected = header.fields(layout.name());
        missing.addAll(expected.keySet());
        missing.removeAll(BEYOND_US.getOrDefault(layout.name(), Set.of()));
        int compared = 0;
        for (Member member : layout.members()) {
            missing.remove(member.name());
            Mlx5IfcHeader.Place place = expected.get(member.name());
            if (place == null) {
                if (!ours.contains(member.name())) {
                    differences.add(layout.name() + "." + member.name() + ": not in the header");
                }
                continue;
            }
            compared++;
            if (place.bitOffset() != member.bitOffset() || place.bitWidth() != member.bitWidth()) {
                differences.add(
                        "%s.%s: %s, %d bits; header %s, %d bits"
                                .formatted(
                                        layout.name(),
                                        member.name(),
                                        Layout.place(member.bitOffset()),
                                        member.bitWidth(),
                                        Layout.place(place.bitOffset()),
                                        place.bitWidth()));
            }
        }
        missing.forEach(name -> differences.add(layout.name() + "." + name + ": missing here"));
        return compared;
    }
}
