package org.ringside.verbs.kernel;

/**
 * What the device gets as the number of a work request and gives back with its completion. It leads
 * to the queue and the place in it, and tells completions of a QP that has been reset or closed,
 * which a device may leave in a CQ.
 *
 * <pre>
 *   63        44 43          33  32   31        0
 *  | QP's slot  | generation   |recv| position   |
 * </pre>
 */
final class Tag {
    /** QPs of one context at most. */
    static final int SLOTS = 1 << 20;

    private static final int GENERATION_BITS = 11;
    private static final long RECEIVE = 1L << 32;

    private Tag() {}

    /** QP's slot and generation, the upper 31 bits. */
    static int owner(int slot, int generation) {
        return slot << GENERATION_BITS | generation & (1 << GENERATION_BITS) - 1;
    }

    /** The part that all requests of one queue have in common. */
    static long base(int owner, boolean receive) {
        return (long) owner << 33 | (receive ? RECEIVE : 0);
    }

    static long of(long base, int position) {
        return base | position & 0xffff_ffffL;
    }

    static int ownerOf(long tag) {
        return (int) (tag >>> 33);
    }

    static int slotOf(int owner) {
        return owner >>> GENERATION_BITS;
    }

    static boolean isReceive(long tag) {
        return (tag & RECEIVE) != 0;
    }

    static int positionOf(long tag) {
        return (int) tag;
    }
}
