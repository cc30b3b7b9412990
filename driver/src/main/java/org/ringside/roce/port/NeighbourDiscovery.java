package org.ringside.roce.port;

import java.nio.ByteBuffer;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Ip;
import org.ringside.verbs.Gid;

/**
 * Neighbour solicitation and advertisement over IPv6 (RFC 4861, 4.3 and 4.4).
 *
 * <pre>
 *   0 type  1 code  2 checksum  4 flags, reserved  8 target 16  24 option: type, length 1, MAC 6
 * </pre>
 */
final class NeighbourDiscovery {
    static final int SOLICITATION = 135;
    static final int ADVERTISEMENT = 136;
    static final int SIZE = 32;

    private static final int TARGET = 8;
    private static final int OPTION = 24;
    private static final int SOURCE_ADDRESS = 1;
    private static final int TARGET_ADDRESS = 2;
    private static final int SOLICITED_OVERRIDE = 0x6000_0000;
    private static final int HOP_LIMIT = 255;

    private NeighbourDiscovery() {}

    /** Hop limit 255 proves that no router passed it on (RFC 4861, 7.1). */
    static boolean isValid(Frame frame, int ip, int icmp) {
        return frame.length() >= icmp + OPTION
                && (frame.bytes().get(ip + Ip.V6_HOP_LIMIT) & 0xff) == HOP_LIMIT
                && frame.bytes().get(icmp + 1) == 0;
    }

    static Gid target(Frame frame, int icmp) {
        ByteBuffer bytes = frame.bytes();
        return new Gid(bytes.getLong(icmp + TARGET), bytes.getLong(icmp + TARGET + 8));
    }

    /** Asks the group of those whose address ends alike (RFC 4291, 2.7.1). */
    static void solicit(Frame into, long mac, Gid source, Gid target) {
        long group = 0x0001_ff00_0000L | target.low() & 0xff_ffff;
        long groupMac = 0x3333_ff00_0000L | target.low() & 0xff_ffff;
        write(into, SOLICITATION, mac, groupMac, source, new Gid(0xff02L << 48, group), target);
    }

    /** Answers a solicitation. */
    static void advertise(Frame into, long mac, long toMac, Gid target, Gid to) {
        write(into, ADVERTISEMENT, mac, toMac, target, to, target);
    }

    private static void write(
            Frame into, int type, long mac, long toMac, Gid source, Gid destination, Gid target) {
        ByteBuffer bytes = into.bytes();
        int ip = Ethernet.write(bytes, toMac, mac, Ethernet.NO_VLAN, Ethernet.IPV6);
        bytes.putInt(ip, 6 << 28);
        bytes.putShort(ip + Ip.V6_LENGTH, (short) SIZE);
        bytes.put(ip + Ip.V6_NEXT, (byte) Ip.ICMPV6);
        bytes.put(ip + Ip.V6_HOP_LIMIT, (byte) HOP_LIMIT);
        bytes.putLong(ip + Ip.V6_SOURCE, source.high());
        bytes.putLong(ip + Ip.V6_SOURCE + 8, source.low());
        bytes.putLong(ip + Ip.V6_DESTINATION, destination.high());
        bytes.putLong(ip + Ip.V6_DESTINATION + 8, destination.low());
        int icmp = ip + Ip.V6_SIZE;
        boolean asks = type == SOLICITATION;
        bytes.putInt(icmp, type << 24);
        bytes.putInt(icmp + 4, asks ? 0 : SOLICITED_OVERRIDE);
        bytes.putLong(icmp + TARGET, target.high());
        bytes.putLong(icmp + TARGET + 8, target.low());
        bytes.put(icmp + OPTION, (byte) (asks ? SOURCE_ADDRESS : TARGET_ADDRESS));
        bytes.put(icmp + OPTION + 1, (byte) 1);
        bytes.putShort(icmp + OPTION + 2, (short) (mac >> 32));
        bytes.putInt(icmp + OPTION + 4, (int) mac);
        Icmp.sealV6(bytes, ip, icmp, SIZE);
        into.length(icmp + SIZE);
    }
}
