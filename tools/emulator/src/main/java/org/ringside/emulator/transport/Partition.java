package org.ringside.emulator.transport;

/** P_Keys (IBTA 10.9): membership in bit 15, the partition in the rest. */
final class Partition {
    private static final int FULL_MEMBER = 0x8000;
    private static final int PARTITION = 0x7fff;

    private Partition() {}

    /** Whether two ports hear each other: same partition, and one of them is a full member. */
    static boolean match(int first, int second) {
        return (first & PARTITION) == (second & PARTITION)
                && (first & PARTITION) != 0
                && ((first | second) & FULL_MEMBER) != 0;
    }
}
