package org.ringside.roce.port;

import java.nio.ByteBuffer;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;

/**
 * ARP for IPv4 over Ethernet (RFC 826).
 *
 * <pre>
 *   0 hardware 1, protocol 0x0800   4 lengths 6, 4   6 operation
 *   8 sender MAC   14 sender IP   18 target MAC   24 target IP      28 bytes
 * </pre>
 */
final class Arp {
    static final int SIZE = 28;
    static final int REQUEST = 1;
    static final int REPLY = 2;

    private static final int HARDWARE_ETHERNET = 1;
    private static final int LENGTHS = 6 << 8 | 4;

    private Arp() {}

    /** Whether the frame, whose EtherType is ARP, is one that we can read. */
    static boolean isValid(Frame frame, int at) {
        ByteBuffer bytes = frame.bytes();
        return frame.length() >= at + SIZE
                && bytes.getInt(at) == (HARDWARE_ETHERNET << 16 | Ethernet.IPV4)
                && bytes.getShort(at + 4) == LENGTHS;
    }

    static int operation(Frame frame, int at) {
        return frame.bytes().getShort(at + 6);
    }

    static long senderMac(Frame frame, int at) {
        ByteBuffer bytes = frame.bytes();
        return (bytes.getShort(at + 8) & 0xffffL) << 32 | bytes.getInt(at + 10) & 0xffff_ffffL;
    }

    static int senderIp(Frame frame, int at) {
        return frame.bytes().getInt(at + 14);
    }

    static int targetIp(Frame frame, int at) {
        return frame.bytes().getInt(at + 24);
    }

    /** Writes a frame; a request asks everybody, with a target MAC of 0. */
    static void write(Frame into, int operation, long mac, int ip, long targetMac, int targetIp) {
        ByteBuffer bytes = into.bytes();
        long destination = operation == REQUEST ? Ethernet.BROADCAST : targetMac;
        int at = Ethernet.write(bytes, destination, mac, Ethernet.NO_VLAN, Ethernet.ARP);
        bytes.putInt(at, HARDWARE_ETHERNET << 16 | Ethernet.IPV4);
        bytes.putInt(at + 4, LENGTHS << 16 | operation);
        bytes.putShort(at + 8, (short) (mac >> 32));
        bytes.putInt(at + 10, (int) mac);
        bytes.putInt(at + 14, ip);
        long target = operation == REQUEST ? 0 : targetMac;
        bytes.putShort(at + 18, (short) (target >> 32));
        bytes.putInt(at + 20, (int) target);
        bytes.putInt(at + 24, targetIp);
        into.length(at + SIZE);
    }
}
