/**
 * The transport against programs that others wrote: a process that is the other end of a guest's
 * NIC and plays the peer of rdma-core's pingpong programs, and a checker of captures.
 */
@NullMarked
package org.ringside.interop;

import org.jspecify.annotations.NullMarked;
