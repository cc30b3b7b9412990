/**
 * The driver for ConnectX devices over VFIO, and the verbs objects on it.
 *
 * <pre>
 *   application      Mlx5Qp, Mlx5Cq                             slow calls: Mlx5Context, QpCommands
 *      | post           | poll                                              |
 *      v                v                                                   v
 *   SendQueue, ReceiveQueue   CompletionRing                  CommandQueue <--> FirmwarePages
 *      | WQE, record    ^ CQE                                 slots, mailboxes      pages
 *      | doorbell       |                                              ^
 *      v                |                                              | events
 *   ===== BAR0, DMA memory ================ device ================ EventThread, EventQueue
 * </pre>
 *
 * {@link org.ringside.mlx5.BringUp} tells how a device gets ready, and how it is taken down.
 */
@NullMarked
package org.ringside.mlx5;

import org.jspecify.annotations.NullMarked;
