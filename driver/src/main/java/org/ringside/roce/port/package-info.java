/**
 * What an Ethernet port needs around the transport, since no kernel does it: addresses, ARP (RFC
 * 826), neighbour discovery (RFC 4861), echo (RFC 792, 4443).
 *
 * <pre>
 *   frame -> Port -> ARP, neighbour discovery -> Neighbours -> who waits for a MAC
 *                 -> echo
 *                 -> Transport
 * </pre>
 */
@NullMarked
package org.ringside.roce.port;

import org.jspecify.annotations.NullMarked;
