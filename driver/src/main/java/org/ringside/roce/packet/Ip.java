package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** Offsets in IPv4 (RFC 791, without options) and IPv6 headers (RFC 8200). */
public final class Ip {
    /** Bytes of an IPv4 header. */
    public static final int V4_SIZE = 20;

    /** Bytes of an IPv6 header. */
    public static final int V6_SIZE = 40;

    /** First byte of an IPv4 header without options. */
    public static final int V4_VERSION_IHL = 0x45;

    /** Type of service: DSCP and ECN. */
    public static final int V4_TOS = 1;

    /** Total length. */
    public static final int V4_LENGTH = 2;

    /** Identification. */
    public static final int V4_ID = 4;

    /** Flags and fragment offset. */
    public static final int V4_FRAGMENT = 6;

    /** Time to live. */
    public static final int V4_TTL = 8;

    /** Protocol. */
    public static final int V4_PROTOCOL = 9;

    /** Header checksum. */
    public static final int V4_CHECKSUM = 10;

    /** Source address. */
    public static final int V4_SOURCE = 12;

    /** Destination address. */
    public static final int V4_DESTINATION = 16;

    /** Payload length. */
    public static final int V6_LENGTH = 4;

    /** Next header. */
    public static final int V6_NEXT = 6;

    /** Hop limit. */
    public static final int V6_HOP_LIMIT = 7;

    /** Source address. */
    public static final int V6_SOURCE = 8;

    /** Destination address. */
    public static final int V6_DESTINATION = 24;

    /** Flag "do not fragment". */
    public static final int DONT_FRAGMENT = 0x4000;

    /** Protocol ICMP. */
    public static final int ICMP = 1;

    /** Protocol UDP. */
    public static final int UDP = 17;

    /** Next header ICMPv6. */
    public static final int ICMPV6 = 58;

    /** ECN codepoint "congestion experienced", in the low bits of the traffic class. */
    public static final int CONGESTION_EXPERIENCED = 3;

    private Ip() {}

    /** Sum of 16-bit words in ones' complement, not yet folded (RFC 1071). */
    public static long sum(ByteBuffer bytes, int from, int length) {
        long sum = 0;
        int at = from;
        int end = from + length;
        for (; at + 1 < end; at += 2) {
            sum += bytes.getShort(at) & 0xffff;
        }
        return at < end ? sum + ((bytes.get(at) & 0xff) << 8) : sum;
    }

    /** The checksum that goes with a sum. */
    public static short fold(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & 0xffff) + (folded >>> 16);
        }
        return (short) ~folded;
    }

    /** DSCP and ECN of either version. */
    static int trafficClass(ByteBuffer bytes, int ip, boolean v6) {
        return v6 ? bytes.getShort(ip) >> 4 & 0xff : bytes.get(ip + V4_TOS) & 0xff;
    }
}
