/**
 * The vfio-user server: puts an {@link org.ringside.emulator.device.EmulatedFunction} behind a UNIX
 * socket.
 *
 * <pre>
 *   socket thread (one per server)            agent thread (one per wire)
 *   accept, receive ---- request, as task --> Session.handle: version, info, irqs, DMA maps, regions
 *                                                  |  reply
 *   client  <--------------------------------------+
 *   client  <---------- DMA_READ/WRITE ------- DmaChannel, waits
 *   receive ----------- reply ---------------> DmaChannel goes on
 * </pre>
 *
 * <p>The socket thread never waits for the agent while the agent waits for the client, so a client
 * that answers requests of the server at any time always gets its own replies too.
 *
 * <p>Source: QEMU docs/interop/vfio-user.rst; for what it leaves open, QEMU's client and
 * libvfio-user's server.
 */
@NullMarked
package org.ringside.emulator.server;

import org.jspecify.annotations.NullMarked;
