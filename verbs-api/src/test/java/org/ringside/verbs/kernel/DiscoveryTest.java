package org.ringside.verbs.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;

class DiscoveryTest {
    @TempDir Path root;

    private DeviceInfo only(Set<String> usable) {
        assertThat(new Discovery(root, root.resolve("dev")).list(usable)).hasSize(1);
        return new Discovery(root, root.resolve("dev")).list(usable).getFirst();
    }

    private void add(String name) throws Exception {
        Path port = Files.createDirectories(root.resolve("class/infiniband/" + name + "/ports/1"));
        Files.writeString(port.resolve("state"), "4: ACTIVE\n");
        Files.writeString(port.resolve("link_layer"), "Ethernet\n");
    }

    @Test
    void shouldTellHowToGetADevice() {
        DeviceInfo nothing = only(Set.of());
        assertThat(nothing.name()).isEqualTo("kernel/NAME");
        assertThat(nothing.available()).isFalse();
        assertThat(nothing.reason()).contains("rdma link add rxe0 type rxe netdev eth0");
    }

    @Test
    void shouldListWhatCanBeOpened() throws Exception {
        add("rxe0");
        assertThat(only(Set.of("rxe0")))
                .isEqualTo(
                        new DeviceInfo(
                                "kernel/rxe0",
                                "kernel",
                                "kernel RDMA device, port 1 4: ACTIVE, Ethernet",
                                true,
                                ""));
    }

    @Test
    void shouldMissUserVerbsOfTheKernel() throws Exception {
        add("rxe0");
        assertThat(only(Set.of()).reason()).contains("modprobe ib_uverbs");
    }

    @Test
    void shouldMissTheDriverOfTheLibrary() throws Exception {
        add("rxe0");
        Files.createDirectories(root.resolve("class/infiniband_verbs"));
        Files.createDirectories(root.resolve("dev/infiniband"));
        assertThat(only(Set.of()).reason()).contains("ibverbs-providers");
    }

    @Test
    void shouldBeOneEntryWithoutTheLibrary() {
        assertThat(
                        new Discovery(root, root)
                                .without(new VerbsException(2, "no library; install it"))
                                .getFirst()
                                .reason())
                .isEqualTo("no library; install it");
    }
}
