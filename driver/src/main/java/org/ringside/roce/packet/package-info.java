/**
 * RoCEv2 packets: built, parsed, sealed with their ICRC. Nothing here keeps state of a connection.
 *
 * <pre>
 *   | Ethernet [802.1Q] | IPv4 or IPv6 | UDP | BTH | extension headers | payload | pad | ICRC |
 *     ^                   ^                    ^                         ^
 *     0                   Packet.ip            Packet.bth                Packet.payload
 * </pre>
 *
 * <p>Formats are those of IBTA volume 1, chapter 9 (transport headers) and Annex A17 (RoCEv2). All
 * fields are big endian but the ICRC. A {@link org.ringside.roce.packet.Frame} is the memory, all
 * other classes are views of it or tables: nothing allocates once it is made.
 */
@NullMarked
package org.ringside.roce.packet;

import org.jspecify.annotations.NullMarked;
