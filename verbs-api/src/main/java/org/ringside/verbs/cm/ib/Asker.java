package org.ringside.verbs.cm.ib;

import org.ringside.verbs.Gid;

/**
 * By what a request that comes again is known: who asks, and his number of it.
 *
 * @param datagrams whether it was SIDR_REQ, which has numbers of its own
 */
record Asker(Gid gid, int id, boolean datagrams) {}
