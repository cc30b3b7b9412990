package org.ringside.roce.port;

import java.nio.ByteBuffer;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Ip;

/** Echo of ICMP (RFC 792) and ICMPv6 (RFC 4443, 4.1), and their checksums. */
final class Icmp {
    static final int ECHO_REQUEST = 8;
    static final int ECHO_REQUEST_V6 = 128;

    private static final int ECHO_REPLY = 0;
    private static final int ECHO_REPLY_V6 = 129;
    private static final int CHECKSUM = 2;
    private static final int HOPS = 64;
    static final int HEADER = 8;

    private Icmp() {}

    /** Stores the checksum of an ICMPv6 message, which covers a pseudo header (RFC 8200, 8.1). */
    static void sealV6(ByteBuffer bytes, int ip, int icmp, int length) {
        bytes.putShort(icmp + CHECKSUM, (short) 0);
        long pseudo = Ip.sum(bytes, ip + Ip.V6_SOURCE, 32) + length + Ip.ICMPV6;
        bytes.putShort(icmp + CHECKSUM, Ip.fold(pseudo + Ip.sum(bytes, icmp, length)));
    }

    /** The request with its ends exchanged, as a reply. */
    static void echoV4(Frame into, Frame request, int ip, int length) {
        ByteBuffer bytes = turn(into, request);
        bytes.putInt(ip + Ip.V4_SOURCE, request.bytes().getInt(ip + Ip.V4_DESTINATION));
        bytes.putInt(ip + Ip.V4_DESTINATION, request.bytes().getInt(ip + Ip.V4_SOURCE));
        bytes.put(ip + Ip.V4_TTL, (byte) HOPS);
        bytes.putShort(ip + Ip.V4_CHECKSUM, (short) 0);
        bytes.putShort(ip + Ip.V4_CHECKSUM, Ip.fold(Ip.sum(bytes, ip, Ip.V4_SIZE)));
        int icmp = ip + Ip.V4_SIZE;
        bytes.put(icmp, (byte) ECHO_REPLY);
        bytes.putShort(icmp + CHECKSUM, (short) 0);
        bytes.putShort(icmp + CHECKSUM, Ip.fold(Ip.sum(bytes, icmp, length)));
    }

    /** The same for IPv6. */
    static void echoV6(Frame into, Frame request, int ip, int length) {
        ByteBuffer bytes = turn(into, request);
        for (int i = 0; i < 16; i += 8) {
            bytes.putLong(
                    ip + Ip.V6_SOURCE + i, request.bytes().getLong(ip + Ip.V6_DESTINATION + i));
            bytes.putLong(
                    ip + Ip.V6_DESTINATION + i, request.bytes().getLong(ip + Ip.V6_SOURCE + i));
        }
        bytes.put(ip + Ip.V6_HOP_LIMIT, (byte) HOPS);
        int icmp = ip + Ip.V6_SIZE;
        bytes.put(icmp, (byte) ECHO_REPLY_V6);
        sealV6(bytes, ip, icmp, length);
    }

    private static ByteBuffer turn(Frame into, Frame request) {
        into.copyOf(request);
        ByteBuffer bytes = into.bytes();
        int vlan = Ethernet.vlan(bytes);
        long from = Ethernet.source(bytes);
        long to = Ethernet.destination(bytes);
        Ethernet.write(bytes, from, to, vlan, Ethernet.etherType(bytes));
        return bytes;
    }
}
