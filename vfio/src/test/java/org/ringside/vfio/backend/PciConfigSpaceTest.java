package org.ringside.vfio.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ringside.vfio.PciCapability;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.VfioException;

class PciConfigSpaceTest {
    private final FakeAccess space = new FakeAccess(4096);
    private final DeviceState state = new DeviceState("0000:3b:00.2");
    private final PciConfig config = new PciConfigSpace(space, 4096, state);

    @BeforeEach
    void putTwoCapabilities() {
        space.bytes.putShort(PciConfig.VENDOR_ID, (short) 0x15b3);
        space.bytes.putShort(PciConfig.DEVICE_ID, (short) 0x1018);
        space.bytes.putShort(PciConfig.STATUS, (short) 0x10);
        space.bytes.put(0x34, (byte) 0x60);
        capability(0x60, PciConfig.CAP_PCI_EXPRESS, 0x9c);
        capability(0x9c, PciConfig.CAP_MSIX, 0);
        space.bytes.putInt(0x100, 0x15010001);
        space.bytes.putInt(0x150, 0x00020010);
    }

    private void capability(int at, int id, int next) {
        space.bytes.put(at, (byte) id);
        space.bytes.put(at + 1, (byte) next);
    }

    @Test
    void shouldReadAndWriteEachWidth() throws Exception {
        config.write32(0x10, 0xfff0000c);
        config.write16(0x3c, 0xabcd);
        config.write8(0x0c, 0x1ff);
        assertThat(config.read32(0x10)).isEqualTo(0xfff0000c);
        assertThat(config.read16(0x3c)).isEqualTo(0xabcd);
        assertThat(config.read8(0x0c)).isEqualTo(0xff);
        assertThat(config.vendorAndDevice()).isEqualTo(0x15b31018);
        assertThat(config.size()).isEqualTo(4096);
    }

    @Test
    void shouldWalkBothLists() throws Exception {
        assertThat(config.capabilities())
                .containsExactly(
                        new PciCapability(0x10, 0, 0x60, false),
                        new PciCapability(0x11, 0, 0x9c, false));
        assertThat(config.extendedCapabilities())
                .containsExactly(
                        new PciCapability(0x01, 1, 0x100, true),
                        new PciCapability(0x10, 2, 0x150, true));
        assertThat(config.findCapability(PciConfig.CAP_MSIX)).isEqualTo(0x9c);
        assertThat(config.findCapability(PciConfig.CAP_MSI)).isEqualTo(-1);
    }

    @Test
    void shouldHaveNoCapabilitiesWhenStatusSaysSo() throws Exception {
        space.bytes.putShort(PciConfig.STATUS, (short) 0);
        assertThat(config.capabilities()).isEmpty();
    }

    @Test
    void shouldEndAListThatLoops() throws Exception {
        capability(0x9c, PciConfig.CAP_MSIX, 0x60);
        assertThat(config.capabilities()).hasSize(2);
        space.bytes.putInt(0x150, 0x10020010);
        assertThat(config.extendedCapabilities()).hasSize(2);
    }

    @Test
    void shouldEndAListThatPointsIntoTheHeader() throws Exception {
        capability(0x9c, PciConfig.CAP_MSIX, 0x10);
        assertThat(config.capabilities()).hasSize(2);
        space.bytes.putInt(0x150, 0x04020010);
        assertThat(config.extendedCapabilities()).hasSize(2);
    }

    @Test
    void shouldIgnoreTheReservedBitsOfPointers() throws Exception {
        space.bytes.put(0x34, (byte) 0x63);
        capability(0x60, PciConfig.CAP_PCI_EXPRESS, 0x9f);
        assertThat(config.capabilities()).hasSize(2);
    }

    @Test
    void shouldWalkAsManyAsThereIsRoomForAndNoMore() throws Exception {
        space.bytes.put(0x34, (byte) 0x40);
        for (int at = 0x40; at < 0x100; at += 4) {
            capability(at, PciConfig.CAP_VENDOR, at + 4);
        }
        assertThat(config.capabilities()).hasSize(48);
        for (int at = 0x100; at < 0x1000; at += 4) {
            space.bytes.putInt(at, at + 4 << 20 | 0x1000b);
        }
        assertThat(config.extendedCapabilities()).hasSize(480);
    }

    @Test
    void shouldFindNothingInSpaceThatReadsAsAllOnes() throws Exception {
        for (int at = 0; at < 4096; at += 4) {
            space.bytes.putInt(at, -1);
        }
        assertThat(config.capabilities()).isEmpty();
        assertThat(config.extendedCapabilities()).isEmpty();
        assertThatThrownBy(config::enableMemoryAndBusMaster)
                .isInstanceOf(VfioException.class)
                .hasMessageStartingWith(
                        "0000:3b:00.2: configuration space reads as all ones: the device is gone")
                .hasMessageContaining("echo 1 > /sys/bus/pci/rescan");
        int writes = space.writes;
        config.disableBusMaster();
        assertThat(space.writes).isEqualTo(writes);
    }

    @Test
    void shouldHaveNoExtendedListInASmallSpace() throws Exception {
        PciConfig small = new PciConfigSpace(space, 256, state);
        assertThat(small.extendedCapabilities()).isEmpty();
        assertThat(small.capabilities()).hasSize(2);
    }

    @Test
    void shouldEnableMemoryAndBusMasterAndKeepOtherBits() throws Exception {
        space.bytes.putShort(PciConfig.COMMAND, (short) PciConfig.COMMAND_INTX_DISABLE);
        config.enableMemoryAndBusMaster();
        assertThat(config.read16(PciConfig.COMMAND)).isEqualTo(0x406);
        config.disableBusMaster();
        assertThat(config.read16(PciConfig.COMMAND)).isEqualTo(0x402);
    }

    @Test
    void shouldSayWhichBitDidNotStick() {
        space.readOnlyBits = PciConfig.COMMAND_BUS_MASTER;
        assertThatThrownBy(config::enableMemoryAndBusMaster)
                .isInstanceOf(VfioException.class)
                .hasMessageStartingWith(
                        "0000:3b:00.2: the command register reads 0x0002 after 0x0006 was written:"
                                + " memory decode is on, bus master is off.");
    }

    @Test
    void shouldRefuseOffsetsOutsideAndMisalignedAndAfterClose() {
        assertThatThrownBy(() -> config.read32(4096)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> config.read16(1)).isInstanceOf(IllegalArgumentException.class);
        state.close();
        assertThatThrownBy(() -> config.read8(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("0000:3b:00.2 is closed");
    }
}
