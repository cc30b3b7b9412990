package org.ringside.emulator.transport;

/** Arithmetic on packet sequence numbers, which have 24 bits (IBTA 9.2.5, 9.7.2). */
final class Psn {
    private static final int MASK = 0xff_ffff;

    private Psn() {}

    static int add(int psn, long packets) {
        return (int) (psn + packets) & MASK;
    }

    /** How far {@code a} is ahead of {@code b}; negative when behind. */
    static int difference(int a, int b) {
        return (a - b) << 8 >> 8;
    }

    /** Packets of a message: one at least. */
    static long packets(long bytes, int mtu) {
        return bytes <= mtu ? 1 : (bytes + mtu - 1) / mtu;
    }
}
