package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** ACK extended header (IBTA 9.3.5): {@link Syndrome} 1, message sequence number 3. */
public final class Aeth {
    /** Bytes of the header. */
    public static final int SIZE = 4;

    private Aeth() {}

    static void write(ByteBuffer bytes, int at, int syndrome, int msn) {
        bytes.putInt(at, syndrome << 24 | msn & 0xff_ffff);
    }

    static int syndrome(ByteBuffer bytes, int at) {
        return bytes.get(at) & 0xff;
    }

    static int msn(ByteBuffer bytes, int at) {
        return bytes.getInt(at) & 0xff_ffff;
    }
}
