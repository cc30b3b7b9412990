package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/**
 * Base transport header (IBTA 9.2).
 *
 * <pre>
 *    0        1                    2        4          5           8         9
 *   +--------+--+-+----+----------+--------+-+-+------+-----------+-+-------+------------+
 *   | opcode |SE|M|pad | version 0| P_Key  |F|B| rsvd | dest QPN  |A| rsvd  | PSN        |
 *   +--------+--+-+----+----------+--------+-+-+------+-----------+-+-------+------------+
 * </pre>
 *
 * <p>F and B are the congestion bits FECN and BECN; A asks for an acknowledgement.
 */
public final class Bth {
    /** Bytes of the header. */
    public static final int SIZE = 12;

    /** SE: the receiver's CQ makes a solicited event. */
    public static final int SOLICITED = 0x80;

    /** M: path migration state; hardware sends it set, and so do we. */
    public static final int MIGRATED = 0x40;

    static final int FLAGS = 1;
    static final int CONGESTION = 4;
    static final int ACK_REQUEST = 8;

    private static final int PAD_SHIFT = 4;
    private static final int BECN = 0x40;
    private static final int LOW_24 = 0xff_ffff;

    private Bth() {}

    /** Writes all of it; pad and lengths come when the packet is sealed. */
    static void write(
            ByteBuffer bytes,
            int at,
            int opcode,
            int flags,
            int pkey,
            int destinationQp,
            boolean ackRequest,
            int psn) {
        bytes.putInt(at, opcode << 24 | flags << 16 | pkey & 0xffff);
        bytes.putInt(at + 4, destinationQp & LOW_24);
        bytes.putInt(at + 8, (ackRequest ? 1 << 31 : 0) | psn & LOW_24);
    }

    static void pad(ByteBuffer bytes, int at, int pad) {
        int flags = bytes.get(at + FLAGS) & ~(3 << PAD_SHIFT);
        bytes.put(at + FLAGS, (byte) (flags | pad << PAD_SHIFT));
    }

    static void becn(ByteBuffer bytes, int at) {
        bytes.put(at + CONGESTION, (byte) BECN);
    }

    static int opcode(ByteBuffer bytes, int at) {
        return bytes.get(at) & 0xff;
    }

    static boolean solicited(ByteBuffer bytes, int at) {
        return bytes.get(at + FLAGS) < 0;
    }

    static int pad(ByteBuffer bytes, int at) {
        return bytes.get(at + FLAGS) >> PAD_SHIFT & 3;
    }

    static int version(ByteBuffer bytes, int at) {
        return bytes.get(at + FLAGS) & 15;
    }

    static int pkey(ByteBuffer bytes, int at) {
        return bytes.getShort(at + 2) & 0xffff;
    }

    static boolean becnOf(ByteBuffer bytes, int at) {
        return (bytes.get(at + CONGESTION) & BECN) != 0;
    }

    static int destinationQp(ByteBuffer bytes, int at) {
        return bytes.getInt(at + 4) & LOW_24;
    }

    static boolean ackRequest(ByteBuffer bytes, int at) {
        return bytes.get(at + ACK_REQUEST) < 0;
    }

    static int psn(ByteBuffer bytes, int at) {
        return bytes.getInt(at + 8) & LOW_24;
    }
}
