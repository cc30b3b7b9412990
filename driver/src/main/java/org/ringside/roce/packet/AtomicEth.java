package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** Atomic extended header (IBTA 9.3.4): address 8, R_Key 4, swap or addend 8, compare 8. */
public final class AtomicEth {
    /** Bytes of the header. */
    public static final int SIZE = 28;

    private AtomicEth() {}

    static void write(
            ByteBuffer bytes, int at, long address, int rkey, long swapOrAdd, long compare) {
        bytes.putLong(at, address);
        bytes.putInt(at + 8, rkey);
        bytes.putLong(at + 12, swapOrAdd);
        bytes.putLong(at + 20, compare);
    }

    static long address(ByteBuffer bytes, int at) {
        return bytes.getLong(at);
    }

    static int rkey(ByteBuffer bytes, int at) {
        return bytes.getInt(at + 8);
    }

    static long swapOrAdd(ByteBuffer bytes, int at) {
        return bytes.getLong(at + 12);
    }

    static long compare(ByteBuffer bytes, int at) {
        return bytes.getLong(at + 20);
    }
}
