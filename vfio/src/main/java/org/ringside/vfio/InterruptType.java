package org.ringside.vfio;

/** Interrupt indices of a PCI function, in the order of VFIO (linux/vfio.h, VFIO_PCI_*_IRQ_INDEX). */
public enum InterruptType {
    /** The pin; level triggered, masked by the kernel when it fires. */
    INTX,
    /** Message signalled interrupts; all vectors are set at once. */
    MSI,
    /** Extended message signalled interrupts; vectors can be added later where the kernel allows. */
    MSIX,
    /** An uncorrectable error of the function was reported. */
    ERR,
    /** The host wants the device back; close it within seconds, else its unbind blocks. */
    REQ;

    /** The index that VFIO knows it by. */
    public int index() {
        return ordinal();
    }
}
