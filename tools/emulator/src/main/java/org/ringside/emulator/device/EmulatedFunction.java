package org.ringside.emulator.device;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model of one PCIe function.
 *
 * <p>Threading: everything except the descriptions ({@link #roleName()} to {@link #msix()}, which
 * never change) is called on the thread of the {@link DeviceAgent} that the function was given to,
 * so a model has no locks. Nothing may block, but DMA through {@link HostMemory} may wait for the
 * client where memory is reached by messages.
 *
 * <p>Life: {@code attach}, then any number of clients one after the other, each ending with {@code
 * reset(CLIENT_LOST)}, then {@code detach}.
 *
 * <p>Not for the model, but done by the server: configuration space with its capabilities, the
 * MSI-X table and pending bits, eventfds, DMA maps.
 */
public interface EmulatedFunction extends Agent {
    /** Vendor, device, class, subsystem. */
    PciIdentity identity();

    /** The BARs, by ascending index. */
    List<BarSpec> bars();

    /** MSI-X, or null when the function has no interrupts. */
    @Nullable MsixSpec msix();

    /** The function is on the bus; the host is valid until {@link #detach()}. */
    void attach(FunctionHost host);

    /**
     * A read of a BAR, in CPU order (a big-endian device swaps). Never outside of the BAR, always
     * naturally aligned; odd sizes come in pieces.
     *
     * @param width 1, 2, 4 or 8 bytes
     * @return the value, zero extended
     */
    long read(int bar, long offset, int width);

    /**
     * A write of a BAR, as {@link #read}. Writes to shared pages that come by message arrive here
     * too.
     *
     * @param value zero extended
     */
    void write(int bar, long offset, int width, long value);

    /**
     * Takes the function to its power-on state: queues stopped, work in flight dropped, without
     * another DMA or interrupt. Configuration space is reset by the server, before; bus master is
     * off from here on.
     */
    void reset(ResetCause cause);

    /** Bus Master Enable changed. While it is off, DMA fails and interrupts are dropped. */
    void busMaster(boolean enabled);

    /** The function leaves the bus for good. Releases what it holds. Called once. */
    void detach();
}
