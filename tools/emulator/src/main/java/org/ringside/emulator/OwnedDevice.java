package org.ringside.emulator;

import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.InterruptType;
import org.ringside.vfio.Interrupts;
import org.ringside.vfio.Mmio;
import org.ringside.vfio.PciConfig;
import org.ringside.vfio.Region;
import org.ringside.vfio.VfioDevice;
import org.ringside.vfio.VfioException;

/** A VFIO device that takes what stands behind it with it when it is closed. */
final class OwnedDevice implements VfioDevice {
    private final VfioDevice device;
    private final Runnable afterwards;

    OwnedDevice(VfioDevice device, Runnable afterwards) {
        this.device = device;
        this.afterwards = afterwards;
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public int regionCount() {
        return device.regionCount();
    }

    @Override
    public Region region(int index) throws VfioException {
        return device.region(index);
    }

    @Override
    public Mmio mmio(int index) throws VfioException {
        return device.mmio(index);
    }

    @Override
    public PciConfig config() {
        return device.config();
    }

    @Override
    public Interrupts interrupts(InterruptType type) throws VfioException {
        return device.interrupts(type);
    }

    @Override
    public DmaSpace dma() {
        return device.dma();
    }

    @Override
    public boolean resettable() {
        return device.resettable();
    }

    @Override
    public void reset() throws VfioException {
        device.reset();
    }

    @Override
    public boolean isLost() {
        return device.isLost();
    }

    @Override
    public void close() {
        try {
            device.close();
        } finally {
            afterwards.run();
        }
    }
}
