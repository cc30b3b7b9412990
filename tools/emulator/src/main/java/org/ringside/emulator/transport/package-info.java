/**
 * The data path of the emulated device: what hardware does between a doorbell and a completion
 * (IBTA volume 1, chapter 9), on whole messages: reliable and unreliable connections, datagrams,
 * XRC, and the management QPs of a port.
 *
 * <pre>
 *    send queue          requester                      responder          receive queue
 *   +---+---+---+   doorbell record    +--------+    rkey, PSN, state     +---+---+---+
 *   |WQE|WQE|   | ------------------>  |  Wire  |  -------------------->  |WQE|WQE|   |
 *   +---+---+---+   WQE, lkey checks   +--------+    data, atomics        +---+---+---+
 *          |                                                                    |
 *          v                                                                    v
 *   completion queue                                                    completion queue
 *   +---+---+---+                                                         +---+---+---+
 *   |CQE|   |   |   event when armed                                      |CQE|   |   |
 *   +---+---+---+                                                         +---+---+---+
 * </pre>
 *
 * <p>Receives are in a queue of the QP, or in one that several share ({@link
 * org.ringside.emulator.transport.SrqState}); an XRC request names that queue itself. A datagram
 * finds its QP by LID and QPN, with P_Key and Q_Key, and its data behind 40 bytes for a GRH.
 *
 * <p>A wire may have a way out of the process ({@link org.ringside.emulator.transport.Wire}): a
 * connected QP whose peer is no function of ours is served by the RoCEv2 transport of the driver
 * module then, frame by frame. Between functions of one process whole messages go from memory to
 * memory, without frames, since that is several times as fast.
 *
 * <p>The command side makes {@link org.ringside.emulator.transport.MkeyState}, {@link
 * org.ringside.emulator.transport.CqState} and {@link org.ringside.emulator.transport.QpState}
 * objects and gives them to the {@link org.ringside.emulator.transport.Engine} of their function.
 * Engines of one agent thread meet on a {@link org.ringside.emulator.transport.Wire}.
 *
 * <p>Threading: everything here belongs to the agent's thread. There are no locks. No message
 * allocates.
 */
@NullMarked
package org.ringside.emulator.transport;

import org.jspecify.annotations.NullMarked;
