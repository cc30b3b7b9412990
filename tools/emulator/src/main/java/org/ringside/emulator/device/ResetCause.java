package org.ringside.emulator.device;

/**
 * Why a function is reset. The effect on its state is the same: all of it is gone, as after
 * power-on.
 */
public enum ResetCause {
    /** The driver set Initiate Function Level Reset in PCIe Device Control (bit 15). */
    FUNCTION_LEVEL,
    /**
     * The client asked for it (DEVICE_RESET): VFIO_DEVICE_RESET, a machine or secondary bus reset.
     */
    DEVICE,
    /**
     * The client closed its socket, or broke the protocol. Nothing of its memory can be reached any
     * more.
     */
    CLIENT_LOST
}
