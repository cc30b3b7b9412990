package org.ringside.vfio;

import java.util.List;

/**
 * PCI configuration space of a function. Offsets in bytes, values in CPU order. Source: PCI Local
 * Bus 3.0 chapter 6, PCI Express Base chapter 7; offsets as in linux/pci_regs.h.
 */
public interface PciConfig {
    int VENDOR_ID = 0x00;
    int DEVICE_ID = 0x02;
    int COMMAND = 0x04;
    int STATUS = 0x06;
    int COMMAND_MEMORY = 1 << 1;
    int COMMAND_BUS_MASTER = 1 << 2;
    int COMMAND_INTX_DISABLE = 1 << 10;

    /** Capability ids that this house looks for. */
    int CAP_POWER_MANAGEMENT = 0x01;

    int CAP_MSI = 0x05;
    int CAP_VENDOR = 0x09;
    int CAP_PCI_EXPRESS = 0x10;
    int CAP_MSIX = 0x11;

    /** Bytes: 256, or 4096 with extended space. */
    int size();

    int read8(int offset) throws VfioException;

    int read16(int offset) throws VfioException;

    int read32(int offset) throws VfioException;

    void write8(int offset, int value) throws VfioException;

    void write16(int offset, int value) throws VfioException;

    void write32(int offset, int value) throws VfioException;

    /** Vendor id in the high, device id in the low 16 bits. */
    default int vendorAndDevice() throws VfioException {
        return read16(VENDOR_ID) << 16 | read16(DEVICE_ID);
    }

    /**
     * Standard capabilities in list order; a list that loops or leaves the space ends where it does
     * so.
     */
    List<PciCapability> capabilities() throws VfioException;

    /** Extended capabilities (from 0x100) in list order. */
    List<PciCapability> extendedCapabilities() throws VfioException;

    /** Offset of the first standard capability with that id, or -1. */
    int findCapability(int id) throws VfioException;

    /** Lets the function decode memory and master the bus; verified by reading back. */
    void enableMemoryAndBusMaster() throws VfioException;

    /** Stops the function from mastering the bus (no DMA, no MSI). */
    void disableBusMaster() throws VfioException;
}
