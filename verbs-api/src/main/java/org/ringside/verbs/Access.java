package org.ringside.verbs;

/**
 * What a memory region or a QP allows (IBTA vol. 1, 10.6.3 and 11.2.4.1). Local read is always
 * allowed. Remote write and remote atomic need local write as well.
 */
public enum Access {
    /** Local receives, READ and atomic results may write the region. */
    LOCAL_WRITE,
    /** The peer may WRITE. */
    REMOTE_WRITE,
    /** The peer may READ. */
    REMOTE_READ,
    /** The peer may do atomics. */
    REMOTE_ATOMIC
}
