package org.ringside.emulator.transport;

/**
 * An entry in the list of a key that has no memory of its own: a range of another key (PRM, KLM).
 *
 * @param target the other key
 * @param address virtual address under it
 * @param bytes of the range, at most 2^31
 */
record Klm(MkeyState target, long address, long bytes) {
    static final Klm[] NONE = {};

    /** Of a list. */
    static long bytes(Klm[] list) {
        long bytes = 0;
        for (Klm entry : list) {
            bytes += entry.bytes;
        }
        return bytes;
    }

    /** Index of the entry that holds a byte of the list, or -1. */
    static int at(Klm[] list, long offset) {
        long rest = offset;
        for (int i = 0; i < list.length; i++) {
            if (rest < list[i].bytes) {
                return i;
            }
            rest -= list[i].bytes;
        }
        return -1;
    }

    /** Bytes before an entry. */
    static long before(Klm[] list, int index) {
        long bytes = 0;
        for (int i = 0; i < index; i++) {
            bytes += list[i].bytes;
        }
        return bytes;
    }
}
