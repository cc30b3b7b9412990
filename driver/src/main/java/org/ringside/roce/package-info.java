/**
 * The RoCEv2 transport: what an RDMA NIC does between its work queues and its wire, for RC, UC and
 * UD (IBTA volume 1, chapter 9; Annex A17). It has no I/O, no thread and no clock of its own:
 * frames come by {@link org.ringside.roce.Transport#receive}, leave by a {@link
 * org.ringside.roce.Link}, and time is an argument.
 *
 * <pre>
 *   SendSource           ReceiveSource            work queues of whoever owns the rings
 *      | next               | next
 *      v                    v
 *   Requester  ----.  .---- Responder  <----> Memory       keys, checked at each access
 *      ^           |  |        ^
 *      | responses v  v        | requests
 *      `------- Transport -----'                  QP table, timers, turns
 *                 ^    |
 *          frames |    v frames
 *                 Link                            a NIC, a socket, a wire in memory
 * </pre>
 *
 * <p>Threading: a transport and all that belongs to it is one thread's, the agent's. There are no
 * locks. Nothing allocates once QPs are made.
 *
 * <p>PSNs are unwrapped longs everywhere inside, see {@link org.ringside.roce.packet.Psn}.
 */
@NullMarked
package org.ringside.roce;

import org.jspecify.annotations.NullMarked;
