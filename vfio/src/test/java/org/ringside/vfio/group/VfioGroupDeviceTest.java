package org.ringside.vfio.group;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ringside.linux.Errno;
import org.ringside.linux.EventFd;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.Region.Area;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.FakeSysfs;
import org.ringside.vfio.testing.OpenFiles;

/**
 * The group back end over a kernel that is played: what it asks for, in which order, and that it
 * gives all of it back.
 */
class VfioGroupDeviceTest {
    private static final String BDF = "0000:3b:00.2";

    @TempDir Path root;
    private long descriptorsBefore;
    private FakeKernel kernel;
    private HostFiles host;
    private VfioGroupDevice device;

    @BeforeEach
    void openTheDevice() throws Exception {
        descriptorsBefore = OpenFiles.count();
        kernel = new FakeKernel();
        new FakeSysfs(root).function(BDF).group(BDF, 12).driver(BDF, "vfio-pci");
        host = new HostFiles(root);
        device = VfioGroupDevice.open(kernel.calls(), host, "3b:00.2", null);
    }

    @AfterEach
    void closeTheDevice() throws Exception {
        device.close();
        device.close();
        assertThat(kernel.dma).as("DMA mappings left").isEmpty();
        assertThat(OpenFiles.count()).as("descriptors").isEqualTo(descriptorsBefore);
    }

    @Test
    void shouldOpenStepByStepInTheOrderThatTheKernelWants() {
        assertThat(device.name()).isEqualTo(BDF);
        assertThat(kernel.deviceName).isEqualTo(BDF);
        assertThat(kernel.log.stream().distinct())
                .containsExactly(
                        "VFIO_GET_API_VERSION",
                        "VFIO_CHECK_EXTENSION",
                        "VFIO_GROUP_GET_STATUS",
                        "VFIO_GROUP_SET_CONTAINER",
                        "VFIO_SET_IOMMU",
                        "VFIO_IOMMU_GET_INFO",
                        "VFIO_GROUP_GET_DEVICE_FD",
                        "VFIO_DEVICE_GET_INFO",
                        "VFIO_DEVICE_GET_REGION_INFO");
    }

    @Test
    void shouldPassTheTokenOfAVirtualFunction() throws Exception {
        device.close();
        kernel = new FakeKernel();
        UUID token = UUID.fromString("12345678-1234-1234-1234-123456789abc");
        device = VfioGroupDevice.open(kernel.calls(), host, BDF, token);
        assertThat(kernel.deviceName)
                .isEqualTo(BDF + " vf_token=12345678-1234-1234-1234-123456789abc");
    }

    @Test
    void shouldTellRegionsWithTheirCapabilities() throws Exception {
        assertThat(device.regionCount()).isEqualTo(9);
        assertThat(device.region(Region.BAR0))
                .isEqualTo(
                        new Region(
                                0,
                                0x10000,
                                true,
                                true,
                                List.of(new Area(0, 0x1000), new Area(0x2000, 0xe000)),
                                true));
        assertThat(device.region(Region.BAR2).size()).isZero();
        assertThat(device.region(Region.VGA).size()).isZero();
        assertThatThrownBy(() -> device.region(9)).hasMessage(BDF + ": no region 9: it has 0 to 8");
        assertThatThrownBy(() -> device.mmio(Region.BAR2))
                .hasMessageStartingWith(BDF + ": the function has no region 2 (size 0)");
    }

    @Test
    void shouldMapWhatMayBeMappedAndCallForTheRest() throws Exception {
        Mmio bar = device.mmio(Region.BAR0);
        assertThat(device.mmio(Region.BAR0)).isSameAs(bar);
        assertThat(bar.size()).isEqualTo(0x10000);
        bar.putInt(0x1000, 0x11);
        bar.putInt(0x2000, 0x22);
        assertThat(bar.getInt(0x1000)).isEqualTo(0x11);
        assertThat(bar.getInt(0x2000)).isEqualTo(0x22);
        assertThat(bar.slice(0x2000, 0x1000).mapped()).isPresent();
        assertThat(bar.slice(0x1000, 0x1000).mapped()).isEmpty();
    }

    @Test
    void shouldReachABarSmallerThanAPageByCalls() throws Exception {
        kernel.bar0Size = 256;
        kernel.bar0Flags = 3;
        Mmio bar = device.mmio(Region.BAR0);
        assertThat(bar.mapped()).isEmpty();
        bar.putInt(252, 77);
        assertThat(bar.getInt(252)).isEqualTo(77);
        assertThat(device.region(Region.BAR0).mappingNote(4096).orElseThrow())
                .isEqualTo(
                        "region 0 has 256 bytes, less than a page (4096): it cannot be mapped, and"
                                + " every access to it is a read or write call");
    }

    @Test
    void shouldEnableMemoryAndBusMasterInTheCommandRegister() throws Exception {
        device.config().enableMemoryAndBusMaster();
        assertThat(kernel.config16(PciConfig.COMMAND)).isEqualTo(6);
        assertThat(device.config().size()).isEqualTo(4096);
    }

    @Test
    void shouldTakeRangesFromTheKernelAndReservedWindowsFromSysfs() throws Exception {
        device.close();
        new FakeSysfs(root.resolve("other"))
                .function(BDF)
                .group(BDF, 12)
                .driver(BDF, "vfio-pci")
                .reservedRegions(12, "0x0000000010000000 0x00000000100fffff reserved\n");
        kernel = new FakeKernel();
        device =
                VfioGroupDevice.open(
                        kernel.calls(), new HostFiles(root.resolve("other")), BDF, null);
        assertThat(device.dma().usableRanges())
                .containsExactly(
                        new IovaRange(0x1000, 0xfffffffL),
                        new IovaRange(0x10100000L, 0xfedfffffL),
                        new IovaRange(0xfef00000L, (1L << 39) - 1));
        assertThat(device.dma().pageSizes()).isEqualTo(0x40201000L);
        assertThat(device.dma().mappingsAvailable()).isEqualTo(65535);
    }

    @Test
    void shouldMapAndUnmapForTheDevice() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            DmaMemory ring = device.dma().allocate(4096, 4096);
            DmaMapping mapping = device.dma().map(arena.allocate(10_000), true);
            assertThat(kernel.dma).hasSize(2);
            assertThat(kernel.dma.floorKey(ring.iova())).isNotZero();
            mapping.close();
            assertThat(kernel.dma).hasSize(1);
            ring.close();
        }
    }

    @Test
    void shouldTakeDmaFromTheFunctionBeforeItsMemoryGoes() throws Exception {
        device.config().enableMemoryAndBusMaster();
        DmaMemory memory = device.dma().allocate(64, 64);
        MemorySegment segment = memory.segment();
        Interrupts msix = device.interrupts(InterruptType.MSIX);
        msix.enable(2);
        Mmio bar = device.mmio(Region.BAR0);
        int copy = kernel.calls().dup(kernel.device);
        kernel.log.clear();

        device.close();

        assertThat(kernel.log).containsExactly("VFIO_DEVICE_SET_IRQS", "VFIO_IOMMU_UNMAP_DMA");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment command = arena.allocate(2);
            kernel.calls().pread(copy, command, 7 * FakeKernel.REGION + PciConfig.COMMAND);
            assertThat(command.get(JAVA_BYTE, 0)).as("bus master off").isEqualTo((byte) 2);
        } finally {
            kernel.calls().close(copy);
        }
        assertThat(kernel.isDeviceOpen()).isFalse();
        assertThatThrownBy(() -> segment.get(JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bar.getInt(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> bar.getInt(0x1000)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> device.config().read16(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(BDF + " is closed");
        assertThatThrownBy(() -> msix.enable(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> device.region(0)).isInstanceOf(IllegalStateException.class);
        memory.close();
    }

    @Test
    void shouldDeliverMessageInterruptsByEvent() throws Exception {
        Interrupts msix = device.interrupts(InterruptType.MSIX);
        assertThat(msix.count()).isEqualTo(8);
        assertThat(msix.canAddLater()).isTrue();
        msix.enable(2);
        assertThat(kernel.events.get(2)).containsOnlyKeys(0, 1);
        msix.trigger(1);
        assertThat(msix.event(0).take()).isZero();
        assertThat(msix.event(1).take()).isEqualTo(1);
        assertThatThrownBy(() -> msix.event(2))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(BDF + ": vector 2 of MSIX is not in use");
    }

    @Test
    void shouldAddAndReleaseAVectorWhileOthersAreInUse() throws Exception {
        Interrupts msix = device.interrupts(InterruptType.MSIX);
        msix.enable(1);
        kernel.log.clear();
        EventFd added = msix.add(5);
        assertThat(msix.add(5)).isSameAs(added);
        assertThat(kernel.log).containsExactly("VFIO_DEVICE_SET_IRQS");
        assertThat(kernel.events.get(2)).containsOnlyKeys(0, 5);
        msix.release(5);
        msix.release(5);
        assertThat(kernel.events.get(2)).containsOnlyKeys(0);
        assertThatThrownBy(added::take).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldSetAllVectorsAnewWhereTheKernelCannotAdd() throws Exception {
        kernel.msixNoResize = true;
        Interrupts msix = device.interrupts(InterruptType.MSIX);
        assertThat(msix.canAddLater()).isFalse();
        msix.enable(1);
        kernel.log.clear();
        msix.add(2);
        assertThat(kernel.log).containsExactly("VFIO_DEVICE_SET_IRQS", "VFIO_DEVICE_SET_IRQS");
        assertThat(kernel.events.get(2)).containsOnlyKeys(0, 2);
    }

    @Test
    void shouldSayHowManyVectorsThereAreWhenThereAreFewer() throws Exception {
        kernel.vectorsAvailable = 3;
        Interrupts msix = device.interrupts(InterruptType.MSIX);
        long before = OpenFiles.count();
        assertThatThrownBy(() -> msix.enable(5))
                .isInstanceOf(VfioException.class)
                .hasMessage(
                        BDF
                                + ": the kernel has 3 vectors of MSIX for this function, not 5. Ask"
                                + " for at most 3");
        assertThat(OpenFiles.count()).isEqualTo(before);
        assertThatThrownBy(() -> msix.enable(9))
                .hasMessage(BDF + ": 9 MSIX vectors wanted, the function has 8");
        msix.enable(3);
        assertThatThrownBy(() -> msix.add(7)).hasMessageContaining("not 8. Ask for at most 3");
        assertThat(kernel.events.get(2)).containsOnlyKeys(0, 1, 2);
    }

    @Test
    void shouldUseOneKindOfInterruptAtATime() throws Exception {
        Interrupts intx = device.interrupts(InterruptType.INTX);
        Interrupts msi = device.interrupts(InterruptType.MSI);
        intx.enable(1);
        intx.mask();
        intx.unmask();
        assertThatThrownBy(() -> msi.enable(1))
                .hasMessageStartingWith(BDF + ": INTX is in use; disable it before MSI,");
        intx.disable();
        msi.enable(1);
        assertThatThrownBy(msi::mask)
                .hasMessage(BDF + ": MSI cannot be masked through VFIO, only INTX can");
        device.interrupts(InterruptType.REQ).enable(1);
        assertThat(device.interrupts(InterruptType.ERR).count()).isZero();
    }

    @Test
    void shouldExplainARefusalToSetInterrupts() throws Exception {
        kernel.fail("VFIO_DEVICE_SET_IRQS", Errno.ENOSPC);
        assertThatThrownBy(() -> device.interrupts(InterruptType.MSIX).enable(4))
                .hasMessage(
                        BDF
                                + ": ioctl(VFIO_DEVICE_SET_IRQS): ENOSPC (28) No space left on"
                                + " device. MSIX, vectors 0 to 3: the host has no more interrupt"
                                + " vectors: ask for fewer");
    }

    @Test
    void shouldPutTheCommandRegisterBackAfterAResetThatClearsIt() throws Exception {
        kernel.resetClearsCommand = true;
        device.config().enableMemoryAndBusMaster();
        device.interrupts(InterruptType.MSIX).enable(1);
        assertThat(device.resettable()).isTrue();
        device.reset();
        assertThat(kernel.config16(PciConfig.COMMAND)).isEqualTo(6);
        assertThat(kernel.events.get(2)).isEmpty();
    }

    @Test
    void shouldExplainAResetThatFails() {
        kernel.fail("VFIO_DEVICE_RESET", Errno.EINVAL).fail("VFIO_DEVICE_RESET", Errno.EAGAIN);
        assertThatThrownBy(() -> device.reset())
                .hasMessage(
                        BDF
                                + ": ioctl(VFIO_DEVICE_RESET): EINVAL (22) Invalid argument. The"
                                + " function cannot be reset alone: its reset methods are [flr,"
                                + " bus]");
        assertThatThrownBy(() -> device.reset()).hasMessageContaining("try again");
    }

    @Test
    void shouldKeepQuietOnCloseWhenTheDeviceNoLongerAnswers() throws Exception {
        device.interrupts(InterruptType.MSIX).enable(1);
        device.dma().allocate(64, 64);
        kernel.fail("VFIO_DEVICE_SET_IRQS", Errno.ENODEV);
        kernel.shortUnmap = 1;
        device.close();
        assertThat(kernel.isDeviceOpen()).isFalse();
    }
}
