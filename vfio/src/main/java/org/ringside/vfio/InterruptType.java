package org.ringside.vfio;

/**
 * Interrupt indices of a PCI function, in the order of VFIO (linux/vfio.h, VFIO_PCI_*_IRQ_INDEX).
 */
public enum InterruptType {
    /** The pin; level triggered, masked by the kernel when it fires. */
    INTX(0),
    /** Message signalled interrupts; all vectors are set at once. */
    MSI(1),
    /**
     * Extended message signalled interrupts; vectors can be added later where the kernel allows.
     */
    MSIX(2),
    /** An uncorrectable error of the function was reported. */
    ERR(3),
    /** The host wants the device back; close it within seconds, else its unbind blocks. */
    REQ(4);

    private final int index;

    InterruptType(int index) {
        this.index = index;
    }

    /** The index that VFIO knows it by. */
    public int index() {
        return index;
    }
}
