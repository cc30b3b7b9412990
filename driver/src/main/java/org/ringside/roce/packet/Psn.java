package org.ringside.roce.packet;

/**
 * Packet sequence numbers. The wire has 24 bits of them; inside they are held unwrapped, as longs
 * that only grow, so that they compare as numbers do. {@link #unwrap} goes from the wire inwards,
 * {@link #wire} back (IBTA 9.7.2).
 */
public final class Psn {
    /** Bits on the wire. */
    public static final int MASK = 0xff_ffff;

    /** First value of a sequence that starts at this PSN; leaves room below for duplicates. */
    public static long start(int wire) {
        return 1L << 24 | wire & MASK;
    }

    private Psn() {}

    /** The 24 bits of it. */
    public static int wire(long psn) {
        return (int) psn & MASK;
    }

    /** The number with these 24 bits that is nearest to another: less than 2^23 away. */
    public static long unwrap(int wire, long near) {
        return near + ((wire - (int) near) << 8 >> 8);
    }

    /** Packets of a message: one at least. */
    public static long packets(long bytes, int mtu) {
        return bytes <= mtu ? 1 : (bytes + mtu - 1) / mtu;
    }
}
