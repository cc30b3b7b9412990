/**
 * Wires that need no NIC: frames between two ends in memory, over sockets in QEMU's framing, into a
 * capture file; and the mishaps of real wires, by a seed.
 */
@NullMarked
package org.ringside.roce.wire;

import org.jspecify.annotations.NullMarked;
