package org.ringside.vfio;

import org.ringside.linux.EventFd;

/**
 * Interrupts of one kind. Each vector in use has an {@link EventFd} that becomes readable when it
 * fires; the device owns the event fds and closes them when the vector is released or the device
 * closes.
 *
 * <p>Only one of INTX, MSI and MSIX can be in use at a time.
 */
public interface Interrupts {
    /** Which kind. */
    InterruptType type();

    /** Vectors that the function has; 0 when it has none of this kind. */
    int count();

    /** Whether vectors can be added while others are in use (VFIO_IRQ_INFO_NORESIZE absent). */
    boolean canAddLater();

    /**
     * Puts vectors 0 to {@code vectors - 1} in use. Ask for what is needed, not for the whole
     * table.
     *
     * @throws VfioException when the kernel has fewer vectors (the message says how many), or
     *     another kind is in use
     */
    void enable(int vectors) throws VfioException;

    /**
     * Puts one more vector in use and returns its event. Works where {@link #canAddLater()}; else
     * the whole set is disabled and enabled again, which can lose an interrupt in between.
     */
    EventFd add(int vector) throws VfioException;

    /** The event of a vector in use. */
    EventFd event(int vector);

    /** Takes one vector out of use. */
    void release(int vector) throws VfioException;

    /**
     * Fires a vector from software (VFIO_IRQ_SET_DATA_NONE with trigger): proves the plumbing
     * without the device.
     */
    void trigger(int vector) throws VfioException;

    /** Masks INTX; MSI and MSIX cannot be masked through VFIO. */
    void mask() throws VfioException;

    /** Unmasks INTX after it was handled. */
    void unmask() throws VfioException;

    /** Takes all vectors out of use. */
    void disable() throws VfioException;
}
