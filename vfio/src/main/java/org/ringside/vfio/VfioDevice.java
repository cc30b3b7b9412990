package org.ringside.vfio;

/**
 * A PCI function that this process owns: its regions, configuration space, interrupts, DMA and
 * reset. One contract, whatever stands behind: the kernel's VFIO group and container, or a
 * vfio-user socket.
 *
 * <p>Ownership: the device owns everything that it hands out; {@link #close()} first takes DMA and
 * interrupts from the function (bus master off, vectors released), then unmaps and closes. Objects
 * obtained from it fail with {@link IllegalStateException} afterwards, they never touch unmapped
 * memory.
 *
 * <p>Threading: all methods may be called from any thread. {@link Mmio} accesses are not serialised
 * against each other.
 *
 * <p>Source: Linux include/uapi/linux/vfio.h; QEMU docs/interop/vfio-user.rst.
 */
public interface VfioDevice extends AutoCloseable {
    /**
     * The device as the user named it: a BDF such as {@code 0000:3b:00.2}, or the path of a
     * vfio-user socket.
     */
    String name();

    /** Number of region indices; region info of an index below it can still be absent (size 0). */
    int regionCount();

    /** What the device says of a region: size, access, areas that may be mapped. */
    Region region(int index) throws VfioException;

    /**
     * Access to a whole region. Pages that may be mapped are, all others go by read and write
     * calls. The same object is returned for the same index; it lives until the device closes.
     *
     * @param index a region index; {@link Region#BAR0} to {@link Region#BAR5}, {@link Region#ROM}
     */
    Mmio mmio(int index) throws VfioException;

    /** PCI configuration space. */
    PciConfig config();

    /** One kind of interrupt of the function. */
    Interrupts interrupts(InterruptType type) throws VfioException;

    /** The function's view of memory. */
    DmaSpace dma();

    /** Whether {@link #reset()} can work. */
    boolean resettable();

    /**
     * Resets the function (FLR or what the platform has). Afterwards interrupts are disabled,
     * memory and bus master are as they were before (re-enabled here if the reset cleared them),
     * DMA mappings still stand, and all state inside the device is gone.
     */
    void reset() throws VfioException;

    /**
     * Whether the device has gone: the peer closed its socket, or a mapped access faulted. Never
     * becomes false again.
     */
    boolean isLost();

    /** Gives the function back. Closing twice is harmless. */
    @Override
    void close();
}
