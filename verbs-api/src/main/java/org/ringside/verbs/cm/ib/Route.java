package org.ringside.verbs.cm.ib;

import org.ringside.verbs.Gid;

/**
 * Between which two GIDs a message goes.
 *
 * @param gidIndex index of ours
 * @param peer the other one
 */
record Route(int gidIndex, Gid peer) {}
