package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** RDMA extended header (IBTA 9.3.3): address 8, R_Key 4, length of the whole message 4. */
public final class Reth {
    /** Bytes of the header. */
    public static final int SIZE = 16;

    private Reth() {}

    static void write(ByteBuffer bytes, int at, long address, int rkey, long length) {
        bytes.putLong(at, address);
        bytes.putInt(at + 8, rkey);
        bytes.putInt(at + 12, (int) length);
    }

    static long address(ByteBuffer bytes, int at) {
        return bytes.getLong(at);
    }

    static int rkey(ByteBuffer bytes, int at) {
        return bytes.getInt(at + 8);
    }

    static long length(ByteBuffer bytes, int at) {
        return Integer.toUnsignedLong(bytes.getInt(at + 12));
    }
}
