/**
 * The connection manager on a port's QP 1, where no kernel has it: messages of 256 bytes in
 * datagrams, resent until answered.
 *
 * <pre>
 *   application's threads          the manager's thread
 *   connect, accept, resolve       GsiPort.receive: message and route
 *        |   wait                       |
 *        v                              v
 *      Conversation  &lt;---------- IbConnectionManager: finds the conversation by ids
 *        | messages, resent             | timers
 *        +-----------&gt; outbox ----------+-----&gt; GsiPort.send
 * </pre>
 *
 * <p>One monitor guards all conversations. It is never held while a verb is called, since verbs
 * take the context's lock, and closing takes the monitor under that.
 */
@NullMarked
package org.ringside.verbs.cm.ib;

import org.jspecify.annotations.NullMarked;
