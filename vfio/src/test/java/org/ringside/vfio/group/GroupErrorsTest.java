package org.ringside.vfio.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ringside.linux.Errno;
import org.ringside.linux.ResourceLimit;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.FakeSysfs;
import org.ringside.vfio.testing.OpenFiles;

/** What the user reads when a device cannot be had: call and errno, why, and what to type. */
class GroupErrorsTest {
    private static final String BDF = "0000:3b:00.2";
    private static final String SIBLING = "0000:3b:00.1";

    @TempDir Path root;
    private FakeSysfs sysfs;
    private FakeKernel kernel;
    private long descriptorsBefore;

    @BeforeEach
    void makeAFunction() throws Exception {
        sysfs = new FakeSysfs(root).function(BDF).group(BDF, 12).driver(BDF, "vfio-pci");
        kernel = new FakeKernel();
        descriptorsBefore = OpenFiles.count();
    }

    @AfterEach
    void leaveNothingOpen() throws Exception {
        kernel.calls().close(kernel.device);
    }

    private VfioGroupDevice open(@Nullable UUID token) throws VfioException {
        return VfioGroupDevice.open(kernel.calls(), new HostFiles(root), BDF, token);
    }

    /** The message of an open that fails; all that it opened has to be closed. */
    private String refusal(@Nullable UUID token) throws Exception {
        VfioException e = catchThrowableOfType(VfioException.class, () -> open(token));
        assertThat(e).isNotNull();
        // The played device descriptor is closed with the rest once it was handed out.
        long expected = kernel.deviceName.isEmpty() ? descriptorsBefore : descriptorsBefore - 1;
        assertThat(OpenFiles.count()).isEqualTo(expected);
        return e.getMessage();
    }

    private String refusal() throws Exception {
        return refusal(null);
    }

    private String node(String name) {
        return root.resolve("dev/vfio").resolve(name).toString();
    }

    @Test
    void shouldSayThatThereIsNoSuchDevice() {
        assertThat(
                        catchThrowableOfType(
                                VfioException.class,
                                () ->
                                        VfioGroupDevice.open(
                                                kernel.calls(),
                                                new HostFiles(root),
                                                "ff:00.0",
                                                null)))
                .hasMessageStartingWith("0000:ff:00.0: no such device: ")
                .hasMessageContaining("lspci -D");
    }

    @Test
    void shouldSayHowToSwitchTheIommuOn() throws Exception {
        Files.delete(sysfs.folder(BDF).resolve("iommu_group"));
        assertThat(refusal())
                .startsWith(BDF + ": it has no iommu_group, so the IOMMU is off.")
                .contains("intel_iommu=on")
                .contains("-device intel-iommu,intremap=on,caching-mode=on");
    }

    @Test
    void shouldGiveTheCommandsThatBindTheFunction() throws Exception {
        sysfs.driver(BDF, "mlx5_core");
        assertThat(refusal())
                .isEqualTo(
                        """
                        0000:3b:00.2: its driver is mlx5_core, not vfio-pci. As root:
                            modprobe vfio-pci
                            echo vfio-pci > /sys/bus/pci/devices/0000:3b:00.2/driver_override
                            echo 0000:3b:00.2 > /sys/bus/pci/devices/0000:3b:00.2/driver/unbind
                            echo 0000:3b:00.2 > /sys/bus/pci/drivers_probe""");
    }

    @Test
    void shouldNotUnbindAFunctionThatHasNoDriver() throws Exception {
        Files.delete(sysfs.folder(BDF).resolve("driver"));
        assertThat(refusal())
                .startsWith(BDF + ": its driver is none, not vfio-pci.")
                .doesNotContain("unbind");
    }

    @Test
    void shouldNameEachMemberOfAGroupThatIsNotViable() throws Exception {
        kernel.viable = false;
        sysfs.function(SIBLING).group(SIBLING, 12).driver(SIBLING, "mlx5_core");
        sysfs.function("0000:3a:00.0")
                .attribute("0000:3a:00.0", "class", "0x060400\n")
                .group("0000:3a:00.0", 12)
                .driver("0000:3a:00.0", "pcieport");
        sysfs.function("0000:3b:00.3").group("0000:3b:00.3", 12);
        assertThat(refusal())
                .isEqualTo(
                        """
                        0000:3b:00.2: VFIO_GROUP_GET_STATUS: group 12 is not viable: all its functions have to be with vfio-pci or with no driver.
                          0000:3a:00.0 driver pcieport
                          0000:3b:00.1 driver mlx5_core: in the way; as root:
                              modprobe vfio-pci
                              echo vfio-pci > /sys/bus/pci/devices/0000:3b:00.1/driver_override
                              echo 0000:3b:00.1 > /sys/bus/pci/devices/0000:3b:00.1/driver/unbind
                              echo 0000:3b:00.1 > /sys/bus/pci/drivers_probe
                          0000:3b:00.2 driver vfio-pci
                          0000:3b:00.3 driver none""");
    }

    @Test
    void shouldSayHowToLoadVfioWhenItsNodeIsMissing() throws Exception {
        kernel.fail("open " + node("vfio"), Errno.ENOENT);
        assertThat(refusal())
                .startsWith(
                        "%s: open(%s): ENOENT (2) No such file or directory. "
                                .formatted(BDF, node("vfio")))
                .contains("modprobe vfio-pci")
                .contains("CONFIG_VFIO_GROUP");
    }

    @Test
    void shouldSayWhoMayOpenTheContainer() throws Exception {
        kernel.fail("open " + node("vfio"), Errno.EACCES);
        assertThat(refusal())
                .contains("EACCES (13) Permission denied")
                .endsWith("chmod 0666 " + node("vfio"));
        kernel.fail("open " + node("vfio"), Errno.EPERM);
        assertThat(refusal()).contains("EPERM (1)").endsWith("--device " + node("vfio"));
    }

    @Test
    void shouldRefuseAnotherApiAndAMissingIommuType() throws Exception {
        kernel.apiVersion = 7;
        assertThat(refusal())
                .isEqualTo(BDF + ": VFIO_GET_API_VERSION says 7; this program knows 0");
        kernel.apiVersion = 0;
        kernel.type1 = 0;
        assertThat(refusal())
                .contains("VFIO_CHECK_EXTENSION: the kernel offers no VFIO_TYPE1v2_IOMMU")
                .contains("modprobe vfio_iommu_type1");
    }

    @Test
    void shouldExplainAContainerOrGroupThatDoesNotAnswer() throws Exception {
        kernel.fail("VFIO_GET_API_VERSION", Errno.ENOTTY);
        assertThat(refusal())
                .startsWith(BDF + ": ioctl(VFIO_GET_API_VERSION): ENOTTY (25)")
                .endsWith("is no VFIO container: see ls -l " + node("vfio"));
        kernel.fail("VFIO_GROUP_GET_STATUS", Errno.ENODEV);
        assertThat(refusal())
                .startsWith(BDF + ": ioctl(VFIO_GROUP_GET_STATUS): ENODEV (19)")
                .endsWith("The group may have lost its last function: see dmesg");
        kernel.fail("VFIO_IOMMU_GET_INFO", Errno.EIO);
        assertThat(refusal()).contains("ioctl(VFIO_IOMMU_GET_INFO): EIO").contains("dmesg");
    }

    @Test
    void shouldSayHowToGetPermissionForTheGroup() throws Exception {
        kernel.fail("open " + node("12"), Errno.EACCES);
        assertThat(refusal())
                .isEqualTo(
                        "%s: open(%s): EACCES (13) Permission denied. The node belongs to root. As root: chown %s %s"
                                .formatted(
                                        BDF,
                                        node("12"),
                                        System.getProperty("user.name"),
                                        node("12")));
    }

    @Test
    void shouldNameTheProcessThatHasTheGroup() throws Exception {
        sysfs.holder(4711, "qemu-system-x86", root.resolve("dev/vfio/12"));
        kernel.fail("open " + node("12"), Errno.EBUSY);
        assertThat(refusal())
                .contains("EBUSY (16) Device or resource busy")
                .contains("Process 4711 (qemu-system-x86) has it open")
                .endsWith("end that process first");
    }

    @Test
    void shouldSayHowToFindAHolderThatProcDoesNotShow() throws Exception {
        kernel.fail("open " + node("12"), Errno.EBUSY);
        assertThat(refusal()).contains("as root, fuser -v " + node("12"));
    }

    @Test
    void shouldExplainAGroupNodeThatIsMissing() throws Exception {
        kernel.fail("open " + node("12"), Errno.ENOENT);
        assertThat(refusal()).contains("noiommu-12").contains("without an IOMMU");
    }

    @Test
    void shouldPointAtFirmwareThatWantsMemoryMappedOneToOne() throws Exception {
        sysfs.reservedRegions(12, "0x00000000bdf6f000 0x00000000bdf7efff direct\n");
        kernel.fail("VFIO_SET_IOMMU", Errno.EINVAL);
        assertThat(refusal())
                .contains("ioctl(VFIO_SET_IOMMU): EINVAL (22)")
                .contains("RMRR, type direct in reserved_regions: [[0xbdf6f000, 0xbdf7efff]]");
        kernel.fail("VFIO_GROUP_SET_CONTAINER", Errno.EINVAL);
        assertThat(refusal()).contains("ioctl(VFIO_GROUP_SET_CONTAINER): EINVAL").contains("RMRR");
    }

    @Test
    void shouldExplainAGroupThatBelongsElsewhere() throws Exception {
        kernel.fail("VFIO_GROUP_SET_CONTAINER", Errno.EBUSY);
        assertThat(refusal()).contains("another container or iommufd has it").contains("fuser -v");
    }

    @Test
    void shouldAskForInterruptRemapping() throws Exception {
        kernel.fail("VFIO_SET_IOMMU", Errno.EPERM);
        assertThat(refusal())
                .contains("ioctl(VFIO_SET_IOMMU): EPERM (1) Operation not permitted")
                .contains("intremap=on")
                .endsWith(
                        "echo 1 > /sys/module/vfio_iommu_type1/parameters/allow_unsafe_interrupts");
    }

    @ParameterizedTest
    @CsvSource({
        "13, false, 'needs the VF token'",
        "13, true, 'is not the one that the owner'",
        "22, true, 'takes none: leave it out'",
        "22, false, 'did not accept the name'",
        "19, false, 'try again'",
        "16, false, 'open through /dev/vfio/devices'",
        "5, false, 'dmesg'",
    })
    void shouldExplainWhyTheDeviceIsNotHandedOut(int errno, boolean withToken, String text)
            throws Exception {
        kernel.fail("VFIO_GROUP_GET_DEVICE_FD", errno);
        assertThat(refusal(withToken ? new UUID(1, 2) : null))
                .startsWith(BDF + ": ioctl(VFIO_GROUP_GET_DEVICE_FD): " + Errno.name(errno))
                .contains(text);
    }

    @Test
    void shouldCloseTheDeviceAgainWhenItDoesNotAnswer() throws Exception {
        kernel.fail("VFIO_DEVICE_GET_INFO", Errno.ENODEV);
        assertThat(refusal()).contains("ioctl(VFIO_DEVICE_GET_INFO): ENODEV").contains("lspci");
        assertThat(kernel.isDeviceOpen()).isFalse();
        kernel = new FakeKernel();
    }

    @Test
    void shouldRefuseWhatIsNoPciFunction() throws Exception {
        kernel.deviceFlags = 1;
        assertThat(refusal()).isEqualTo(BDF + ": VFIO says that it is no PCI function");
        kernel = new FakeKernel();
    }

    private String mapRefusal() throws Exception {
        try (VfioGroupDevice device = open(null);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100_000, 4096);
            VfioException e =
                    catchThrowableOfType(VfioException.class, () -> device.dma().map(memory, true));
            assertThat(e).isNotNull();
            return e.getMessage();
        } finally {
            kernel = new FakeKernel();
        }
    }

    @Test
    void shouldSeeTheLockedMemoryLimitComingAndNameThreeCures() throws Exception {
        kernel.memlock = new ResourceLimit(65536, 65536);
        sysfs.processStatus("Name:\tjava\nVmLck:\t      16 kB\nCapEff:\t0000000000000000\n");
        int pid = kernel.calls().getpid();
        assertThat(mapRefusal())
                .isEqualTo(
                        BDF
                                + ": mapping 102400 bytes for DMA locks them in memory; 16384 bytes"
                                + " are locked already and the limit is 65536 (RLIMIT_MEMLOCK)."
                                + " Raise it: ulimit -l unlimited in the shell that starts java;"
                                + " or as root prlimit --memlock=unlimited:unlimited --pid "
                                + pid
                                + " for this process; or LimitMEMLOCK=infinity in a systemd unit");
    }

    @Test
    void shouldCountWhatItHasPinnedItself() throws Exception {
        kernel.memlock = new ResourceLimit(3 << 20, 3 << 20);
        try (VfioGroupDevice device = open(null)) {
            device.dma().allocate(64, 64);
            assertThat(
                            catchThrowableOfType(
                                    VfioException.class, () -> device.dma().allocate(2 << 20, 64)))
                    .hasMessageContaining("2097152 bytes are locked already");
        } finally {
            kernel = new FakeKernel();
        }
    }

    @Test
    void shouldIgnoreTheLimitWhenTheProcessMayLockWhatItLikes() throws Exception {
        kernel.memlock = new ResourceLimit(4096, 4096);
        sysfs.processStatus("VmLck:\t0 kB\nCapEff:\t000001ffffffffff\n");
        try (VfioGroupDevice device = open(null)) {
            assertThat(device.dma().allocate(64, 64).iova()).isNotZero();
        } finally {
            kernel = new FakeKernel();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "12, 'could not pin the pages', 'ulimit -l unlimited'",
        "28, 'All entries', 'dma_entry_limit'",
        "14, 'is not mapped in this process', 'was the memory freed?'",
        "17, 'is mapped already', 'other code'",
        "22, 'does not take this range', 'aw-bits=48'",
        "5, 'dmesg', 'dmesg'",
    })
    void shouldExplainWhyTheKernelDoesNotMap(int errno, String why, String cure) throws Exception {
        kernel.fail("VFIO_IOMMU_MAP_DMA", errno);
        assertThat(mapRefusal())
                .startsWith(BDF + ": IOVA 0x")
                .contains("ioctl(VFIO_IOMMU_MAP_DMA): " + Errno.describe(errno))
                .contains(why)
                .contains(cure);
    }

    @Test
    void shouldNameAwBitsWhenTheIovaIsBeyondTheWidth() throws Exception {
        try (VfioGroupDevice device = open(null);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            assertThat(
                            catchThrowableOfType(
                                    VfioException.class,
                                    () -> device.dma().mapAt(1L << 39, memory, true)))
                    .hasMessageStartingWith(
                            BDF
                                    + ": IOVA 0x8000000000, 4096 bytes: beyond the 39 bits that the"
                                    + " IOMMU translates (last address 0x7fffffffff).")
                    .hasMessageEndingWith("-device intel-iommu,aw-bits=48");
        } finally {
            kernel = new FakeKernel();
        }
    }

    @Test
    void shouldNameTheEntryLimitBeforeTheKernelRunsOut() throws Exception {
        kernel.dmaAvailable = 1;
        try (VfioGroupDevice device = open(null);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            device.dma().map(memory, true);
            assertThat(
                            catchThrowableOfType(
                                    VfioException.class, () -> device.dma().map(memory, true)))
                    .hasMessageStartingWith(BDF + ": all 1 mappings are in use. ")
                    .hasMessageContaining(
                            "echo 1048576 > /sys/module/vfio_iommu_type1/parameters/dma_entry_limit");
            assertThat(kernel.dma).hasSize(1);
        } finally {
            kernel = new FakeKernel();
        }
    }
}
