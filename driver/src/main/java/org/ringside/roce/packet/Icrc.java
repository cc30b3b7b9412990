package org.ringside.roce.packet;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * Invariant CRC (IBTA 7.8.1, A17.3.3): the CRC-32 of Ethernet over eight bytes of ones, the IP and
 * UDP headers, BTH, and everything up to the end of the pad. What routers may change counts as
 * ones. It is stored least significant byte first.
 *
 * <pre>
 *   taken as ones   IPv4: type of service, time to live, checksum
 *                   IPv6: traffic class, flow label, hop limit
 *                   UDP:  checksum      BTH: byte 4 (FECN, BECN, reserved)
 * </pre>
 *
 * <p>One per thread: it has a scratch of the masked headers.
 */
public final class Icrc {
    /** Bytes of it on the wire. */
    public static final int SIZE = 4;

    private static final int ONES = 8;
    private static final byte MASKED = -1;

    private final CRC32 crc = new CRC32();
    private final byte[] head = new byte[ONES + Ip.V6_SIZE + Udp.SIZE + Bth.SIZE];

    /** An engine with a scratch of its own. */
    public Icrc() {
        Arrays.fill(head, 0, ONES, MASKED);
    }

    /**
     * The ICRC as an integer.
     *
     * @param ip offset of the IP header, whose version tells its form
     * @param bth offset of the BTH
     * @param end offset of the first byte after the pad
     */
    public int compute(Frame frame, int ip, int bth, int end) {
        ByteBuffer bytes = frame.bytes();
        int masked = bth + Bth.SIZE - ip;
        bytes.get(ip, head, ONES, masked);
        if (bth - ip == Ip.V4_SIZE + Udp.SIZE) {
            maskV4();
        } else {
            maskV6();
        }
        int bthAt = ONES + bth - ip;
        head[bthAt - 2] = MASKED;
        head[bthAt - 1] = MASKED;
        head[bthAt + Bth.CONGESTION] = MASKED;
        crc.reset();
        crc.update(head, 0, ONES + masked);
        bytes.limit(end).position(ip + masked);
        crc.update(bytes);
        bytes.clear();
        return (int) crc.getValue();
    }

    private void maskV4() {
        head[ONES + Ip.V4_TOS] = MASKED;
        head[ONES + Ip.V4_TTL] = MASKED;
        head[ONES + Ip.V4_CHECKSUM] = MASKED;
        head[ONES + Ip.V4_CHECKSUM + 1] = MASKED;
    }

    private void maskV6() {
        head[ONES] |= 0x0f;
        head[ONES + 1] = MASKED;
        head[ONES + 2] = MASKED;
        head[ONES + 3] = MASKED;
        head[ONES + Ip.V6_HOP_LIMIT] = MASKED;
    }

    /** Stores the ICRC behind the pad. */
    void seal(Frame frame, int ip, int bth, int end) {
        frame.bytes().putInt(end, Integer.reverseBytes(compute(frame, ip, bth, end)));
    }

    /** Whether a parsed packet carries the ICRC of its bytes. */
    public boolean matches(Packet packet) {
        int end = packet.icrc();
        return compute(packet.frame(), packet.ip(), packet.bth(), end)
                == Integer.reverseBytes(packet.frame().bytes().getInt(end));
    }
}
