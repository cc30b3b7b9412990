/**
 * The vfio-user protocol: VFIO over a UNIX stream socket. Its messages and socket, which client and
 * server share, and the client, a {@link org.ringside.vfio.VfioDevice} whose device is another
 * process, or another thread.
 *
 * <pre>
 *   client                                server
 *     | --- request (id, command) ---------> |     one connection per device, host byte order,
 *     | <-------- reply (id, command) ------ |     file descriptors beside the first byte
 *     |                                      |
 *     | <--- DMA_READ, DMA_WRITE request --- |     ids of the two directions are independent
 *     | ------- reply ---------------------> |
 * </pre>
 *
 * <p>Source: QEMU docs/interop/vfio-user.rst.
 */
@NullMarked
package org.ringside.vfio.user;

import org.jspecify.annotations.NullMarked;
