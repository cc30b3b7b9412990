package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** Datagram extended header (IBTA 9.3.2): Q_Key 4, reserved 1, source QPN 3. */
public final class Deth {
    /** Bytes of the header. */
    public static final int SIZE = 8;

    private Deth() {}

    static void write(ByteBuffer bytes, int at, int qkey, int sourceQp) {
        bytes.putInt(at, qkey);
        bytes.putInt(at + 4, sourceQp & 0xff_ffff);
    }

    static int qkey(ByteBuffer bytes, int at) {
        return bytes.getInt(at);
    }

    static int sourceQp(ByteBuffer bytes, int at) {
        return bytes.getInt(at + 4) & 0xff_ffff;
    }
}
