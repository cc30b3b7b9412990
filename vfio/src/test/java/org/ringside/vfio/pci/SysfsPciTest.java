package org.ringside.vfio.pci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.PciFunction.ReservedRegion;

class SysfsPciTest {
    private static final String BDF = "0000:3b:00.2";

    @TempDir Path root;
    private FakeSysfs sysfs;
    private SysfsPci pci;

    @BeforeEach
    void makeAFunction() throws Exception {
        sysfs = new FakeSysfs(root).function(BDF).group(BDF, 12);
        pci = new SysfsPci(root);
    }

    private static PciAddress at(String bdf) throws VfioException {
        return PciAddress.parse(bdf);
    }

    @Test
    void shouldReadShortAndFullAddresses() throws Exception {
        assertThat(at("3b:00.2")).isEqualTo(new PciAddress(0, 0x3b, 0, 2)).hasToString(BDF);
        assertThat(at("0001:FF:1f.7")).hasToString("0001:ff:1f.7");
        assertThat(at("10000:01:00.0")).hasToString("10000:01:00.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "3b:00", "3b:00.8", "3b:20.0", "xx:00.0", "0000:3b:00.2 ", "mlx5_0"})
    void shouldRefuseWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> PciAddress.parse(text))
                .isInstanceOf(VfioException.class)
                .hasMessage(
                        "\""
                                + text
                                + "\" is no PCI address. Give bus, device and function in hex, such"
                                + " as 0000:3b:00.2 or 3b:00.2; lspci -D lists them");
    }

    @Test
    void shouldTellWhatAFunctionIs() throws Exception {
        sysfs.driver(BDF, "mlx5_core").attribute(BDF, "numa_node", "1\n");
        PciFunction function = pci.function(at(BDF));
        assertThat(function)
                .isEqualTo(
                        new PciFunction(
                                at(BDF),
                                0x15b3,
                                0x1018,
                                0x020000,
                                Optional.of("mlx5_core"),
                                OptionalInt.of(12),
                                1,
                                List.of("flr", "bus")));
        assertThat(function.isBridge()).isFalse();
    }

    @Test
    void shouldManageWithoutDriverGroupAndNewerAttributes() throws Exception {
        sysfs.function("0000:01:00.0");
        Files.delete(sysfs.folder("0000:01:00.0").resolve("reset_method"));
        PciFunction function = pci.function(at("01:00.0"));
        assertThat(function.driver()).isEmpty();
        assertThat(function.iommuGroup()).isEmpty();
        assertThat(function.resetMethods()).isEmpty();
    }

    @Test
    void shouldListFunctionsByAddress() throws Exception {
        sysfs.function("0000:00:1f.0").function("0000:00:02.0");
        assertThat(pci.list().stream().map(f -> f.address().toString()))
                .containsExactly("0000:00:02.0", "0000:00:1f.0", BDF);
        assertThat(new SysfsPci(root.resolve("nowhere")).list()).isEmpty();
    }

    @Test
    void shouldSayHowToFindDevicesWhenThereIsNone() {
        assertThatThrownBy(() -> pci.function(at("0000:ff:00.0")))
                .isInstanceOf(VfioException.class)
                .hasMessageStartingWith("0000:ff:00.0: no such device: ")
                .hasMessageContaining("/sys/bus/pci/devices/0000:ff:00.0 does not exist")
                .hasMessageContaining("lspci -D");
    }

    @Test
    void shouldReadReservedRegions() throws Exception {
        assertThat(pci.reservedRegions(12))
                .containsExactly(
                        new ReservedRegion(new IovaRange(0xfee00000L, 0xfeefffffL), "msi"),
                        new ReservedRegion(new IovaRange(0, 0xfff), "reserved"));
        sysfs.reservedRegions(12, "0x1 0xffffffffffffffff direct\n");
        assertThat(pci.reservedRegions(12).getFirst().range().last()).isEqualTo(-1);
    }

    @Test
    void shouldListTheMembersOfAGroup() throws Exception {
        sysfs.function("0000:3b:00.1")
                .group("0000:3b:00.1", 12)
                .driver("0000:3b:00.1", "mlx5_core");
        assertThat(pci.groupMembers(12).stream().map(f -> f.address().toString()))
                .containsExactly("0000:3b:00.1", BDF);
        assertThat(pci.groupMembers(99)).isEmpty();
    }

    @Test
    void shouldWriteOverrideUnbindAndProbeAndThenLook() throws Exception {
        sysfs.driver(BDF, "mlx5_core");
        // No kernel acts on these files, so the driver stays, as it does when a probe fails.
        assertThatThrownBy(() -> pci.bindToVfio(at(BDF)))
                .isInstanceOf(VfioException.class)
                .hasMessageContaining("vfio-pci did not take it; its driver is now mlx5_core")
                .hasMessageContaining("modprobe vfio-pci")
                .hasMessageContaining(
                        "echo > /sys/bus/pci/devices/0000:3b:00.2/driver_override && echo"
                                + " 0000:3b:00.2 > /sys/bus/pci/drivers_probe");
        assertThat(sysfs.folder(BDF).resolve("driver_override")).hasContent("vfio-pci");
        assertThat(sysfs.folder(BDF).resolve("driver/unbind")).hasContent(BDF);
        assertThat(root.resolve("sys/bus/pci/drivers_probe")).hasContent(BDF);
    }

    @Test
    void shouldLeaveAFunctionAloneThatVfioHas() throws Exception {
        sysfs.driver(BDF, "vfio-pci");
        assertThat(pci.bindToVfio(at(BDF))).hasValue("vfio-pci");
        assertThat(sysfs.folder(BDF).resolve("driver_override")).hasContent("(null)\n");
    }

    @Test
    void shouldClearTheOverrideAndProbeToRestore() throws Exception {
        sysfs.driver(BDF, "vfio-pci");
        pci.restore(at(BDF));
        assertThat(sysfs.folder(BDF).resolve("driver_override")).hasContent("\n");
        assertThat(sysfs.folder(BDF).resolve("driver/unbind")).hasContent(BDF);
        assertThat(root.resolve("sys/bus/pci/drivers_probe")).hasContent(BDF);
    }

    @Test
    void shouldSayThatItTakesRootWhenAWriteFails() throws Exception {
        Files.delete(sysfs.folder(BDF).resolve("driver_override"));
        Files.createDirectory(sysfs.folder(BDF).resolve("driver_override"));
        assertThatThrownBy(() -> pci.bindToVfio(at(BDF)))
                .hasMessageContaining("cannot write \"vfio-pci\" to ")
                .hasMessageEndingWith("It takes root");
    }
}
