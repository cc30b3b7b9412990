package org.ringside.mlx5;

import java.util.ArrayList;
import java.util.List;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciCapability;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/** A VFIO device around {@link FakeFirmware}; notes what is done to the function. */
final class TestVfio implements VfioDevice, PciConfig {
    final FakeFirmware firmware;
    final List<String> done = new ArrayList<>();
    int vendor = 0x15b3;
    long barSize = 0x8000;
    volatile boolean lost;

    TestVfio(FakeFirmware firmware) {
        this.firmware = firmware;
    }

    @Override
    public String name() {
        return "dev0";
    }

    @Override
    public int regionCount() {
        return 9;
    }

    @Override
    public Region region(int index) {
        return new Region(index, barSize, true, true, List.of(), false);
    }

    @Override
    public Mmio mmio(int index) {
        return firmware.bar;
    }

    @Override
    public PciConfig config() {
        return this;
    }

    @Override
    public Interrupts interrupts(InterruptType type) throws VfioException {
        throw new VfioException(22, "no interrupts in this test");
    }

    @Override
    public DmaSpace dma() {
        return firmware.dma;
    }

    @Override
    public boolean resettable() {
        return true;
    }

    @Override
    public void reset() {
        done.add("reset");
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public void close() {
        done.add("close");
    }

    // ---- configuration space

    @Override
    public int size() {
        return 4096;
    }

    @Override
    public int read8(int offset) {
        return 0;
    }

    @Override
    public int read16(int offset) {
        return offset == PciConfig.VENDOR_ID ? vendor : 0x1018;
    }

    @Override
    public int read32(int offset) {
        return 0;
    }

    @Override
    public void write8(int offset, int value) {}

    @Override
    public void write16(int offset, int value) {}

    @Override
    public void write32(int offset, int value) {}

    @Override
    public List<PciCapability> capabilities() {
        return List.of();
    }

    @Override
    public List<PciCapability> extendedCapabilities() {
        return List.of();
    }

    @Override
    public int findCapability(int id) {
        return -1;
    }

    @Override
    public void enableMemoryAndBusMaster() {
        done.add("bus master on");
    }

    @Override
    public void disableBusMaster() {
        done.add("bus master off");
    }
}
