/**
 * The rxe-class device: verbs objects on the RoCEv2 transport ({@link org.ringside.roce}), over any
 * {@link org.ringside.ethernet.EthernetPort}. One agent thread for each device does what the
 * hardware of an RDMA NIC does.
 *
 * <pre>
 *   application                      |                  agent
 *   QueuePair.post --> SendRing -----|--> Transport --> Port --> EthernetPort --> wire
 *                 \--> Doorbells ----|--^     |
 *   CompletionQueue.poll <-- CompletionRing <-'
 * </pre>
 *
 * <p>Rings have one producer and one consumer. Slow calls are tasks for the agent, which alone
 * touches the transport.
 */
@NullMarked
package org.ringside.softroce;

import org.jspecify.annotations.NullMarked;
