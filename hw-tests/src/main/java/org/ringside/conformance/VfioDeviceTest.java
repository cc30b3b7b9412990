package org.ringside.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ringside.linux.PollSet;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.DmaSpace.IovaRange;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioDevices;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.pci.PciAddress;
import org.ringside.vfio.testing.OpenFiles;

/**
 * What stands below the verbs, on each device named that is reached through VFIO. Works the
 * plumbing only (regions, interrupts from software, mappings, reset): it makes no device do DMA.
 */
@ParameterizedClass(name = "on {0}", allowZeroInvocations = true)
@MethodSource("org.ringside.conformance.Topology#throughVfio")
@ExtendWith(OpenDevices.AtEnd.class)
class VfioDeviceTest {
    @Parameter Topology topology;

    private @Nullable VfioDevice opened;
    private long descriptorsBefore;

    @BeforeEach
    void openTheDevice() throws Exception {
        OpenDevices.releaseAll();
        descriptorsBefore = OpenFiles.count();
        opened = VfioDevices.open(topology.vfioName());
    }

    @AfterEach
    void closeTheDevice() throws Exception {
        if (opened != null) {
            opened.close();
            opened.close();
            assertThat(OpenFiles.count()).isEqualTo(descriptorsBefore);
        }
    }

    private VfioDevice device() {
        return Objects.requireNonNull(opened);
    }

    @Test
    void shouldReadConfigurationSpace() throws Exception {
        PciConfig config = device().config();
        assertThat(config.read16(PciConfig.VENDOR_ID)).isNotIn(0, 0xffff);
        assertThat(config.vendorAndDevice()).isEqualTo(Integer.rotateLeft(config.read32(0), 16));
        assertThat(config.capabilities()).isNotEmpty();
        assertThat(config.findCapability(PciConfig.CAP_MSIX)).isGreaterThanOrEqualTo(0x40);
    }

    @Test
    void shouldSwitchBusMasterOnAndOff() throws Exception {
        PciConfig config = device().config();
        int wanted = PciConfig.COMMAND_MEMORY | PciConfig.COMMAND_BUS_MASTER;
        config.enableMemoryAndBusMaster();
        assertThat(config.read16(PciConfig.COMMAND) & wanted).isEqualTo(wanted);
        config.disableBusMaster();
        assertThat(config.read16(PciConfig.COMMAND) & wanted).isEqualTo(PciConfig.COMMAND_MEMORY);
    }

    @Test
    void shouldReadTheSameRegisterMappedAndByWholeRegion() throws Exception {
        device().config().enableMemoryAndBusMaster();
        Region region = firstBar();
        Mmio bar = device().mmio(region.index());
        assertThat(bar.size()).isEqualTo(region.size());
        assertThat(bar.slice(0, 8).getInt(0)).isEqualTo(bar.getInt(0));
        assertThat(device().isLost()).isFalse();
        assertThatThrownBy(() -> bar.getInt(region.size()))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private Region firstBar() throws VfioException {
        int index = Region.BAR0;
        while (device().region(index).size() == 0) {
            index++;
        }
        assertThat(index).isLessThanOrEqualTo(Region.BAR5);
        return device().region(index);
    }

    @Test
    void shouldFireEachVectorFromSoftware() throws Exception {
        Interrupts msix = device().interrupts(InterruptType.MSIX);
        int vectors = Math.min(3, msix.count());
        assertThat(vectors).isPositive();
        msix.enable(vectors);
        for (int i = 0; i < vectors; i++) {
            msix.trigger(i);
            PollSet set = new PollSet(SystemCalls.host(), msix.event(i).fd());
            assertThat(set.await(5000)).as("vector %d within 5 s", i).isEqualTo(1);
            assertThat(msix.event(i).take()).isEqualTo(1);
        }
        msix.disable();
    }

    @Test
    void shouldAddAVectorToThoseInUse() throws Exception {
        Interrupts msix = device().interrupts(InterruptType.MSIX);
        assumeTrue(msix.count() > 1, "the function has one vector only");
        msix.enable(1);
        int fd = msix.add(1).fd();
        msix.trigger(1);
        assertThat(new PollSet(SystemCalls.host(), fd).await(5000)).isEqualTo(1);
        msix.release(1);
        msix.trigger(0);
        assertThat(new PollSet(SystemCalls.host(), msix.event(0).fd()).await(5000)).isEqualTo(1);
    }

    @Test
    void shouldMapPoolAndApplicationMemory() throws Exception {
        DmaSpace dma = device().dma();
        assertThat(dma.usableRanges()).isNotEmpty();
        int available = dma.mappingsAvailable();
        List<DmaMemory> pieces = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            pieces.add(dma.allocate(4096, 4096));
        }
        assertThat(available - dma.mappingsAvailable()).isEqualTo(2);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(10_000_000, 4096);
            DmaMapping mapping = dma.map(memory, true);
            assertThat(mapping.iova()).isNotZero();
            assertThat(Long.numberOfTrailingZeros(mapping.iova() ^ memory.address()))
                    .isGreaterThanOrEqualTo(Math.min(62, mapping.alignmentLog2()));
            mapping.close();
        }
        pieces.forEach(DmaMemory::close);
    }

    @Test
    void shouldRefuseAnIovaBeyondItsWidthOrReserved() throws Exception {
        DmaSpace dma = device().dma();
        IovaRange last = dma.usableRanges().getLast();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(4096, 4096);
            assertThatThrownBy(() -> dma.mapAt(last.last() + 1, memory, true))
                    .isInstanceOf(VfioException.class)
                    .hasMessageContaining("bits that the IOMMU translates");
            dma.mapAt(last.last() + 1 - 4096, memory, true).close();
        }
    }

    @Test
    void shouldKeepMappingsAndCommandRegisterOverAReset() throws Exception {
        assumeTrue(device().resettable(), "the function cannot be reset");
        device().config().enableMemoryAndBusMaster();
        DmaMemory memory = device().dma().allocate(4096, 4096);
        device().reset();
        int wanted = PciConfig.COMMAND_MEMORY | PciConfig.COMMAND_BUS_MASTER;
        assertThat(device().config().read16(PciConfig.COMMAND) & wanted).isEqualTo(wanted);
        memory.segment().fill((byte) 1);
        memory.close();
    }

    @Test
    void shouldRefuseASecondOpenWhileTheFirstHolds() {
        String name = device().name();
        assumeTrue(PciAddress.matches(name), "a vfio-user server may serve several clients");
        assertThatThrownBy(() -> VfioDevices.open(name))
                .isInstanceOf(VfioException.class)
                .hasMessageContaining(name);
    }
}
