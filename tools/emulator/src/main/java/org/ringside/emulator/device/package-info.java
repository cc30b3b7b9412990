/**
 * What stands between a device model and the bus that serves it. The model implements {@link
 * org.ringside.emulator.device.EmulatedFunction}; the server gives it a {@link
 * org.ringside.emulator.device.FunctionHost}: memory of the host, and interrupts.
 *
 * <pre>
 *   socket thread --- tasks ---+
 *                              v
 *                        DeviceAgent   one thread: accesses, doorbells, DMA, timers of all
 *                        |         |   functions on a wire; so models have no locks
 *           EmulatedFunction    EmulatedFunction
 *                        |
 *                  FunctionHost --- dma() ---> HostMemory (what the client has mapped)
 *                               --- raise() -> eventfd of an MSI-X vector
 * </pre>
 */
@NullMarked
package org.ringside.emulator.device;

import org.jspecify.annotations.NullMarked;
