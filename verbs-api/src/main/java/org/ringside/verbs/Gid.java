package org.ringside.verbs;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;

/**
 * A global identifier: 128 bits, an IPv6 address or an IPv4 address mapped into one (IBTA Annex
 * A17.4.5.2).
 *
 * @param high the first eight bytes, big endian
 * @param low the last eight bytes, big endian
 */
public record Gid(long high, long low) {
    /** All zero: no GID. */
    public static final Gid NONE = new Gid(0, 0);

    /** From 16 bytes in network order. */
    public static Gid of(byte[] bytes) {
        if (bytes.length != 16) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        return new Gid(long64(bytes, 0), long64(bytes, 8));
    }

    /** From an address literal: {@code fe80::1} or {@code 192.0.2.7} (mapped). */
    public static Gid parse(String address) {
        if (address.isEmpty() || !address.matches("[0-9a-fA-F:.]+")) {
            throw new IllegalArgumentException("\"" + address + "\" is no IP address literal");
        }
        try {
            InetAddress inet = InetAddress.getByName(address);
            byte[] raw = inet.getAddress();
            if (inet instanceof Inet4Address) {
                return new Gid(
                        0,
                        0xffff_0000_0000L
                                | (raw[0] & 0xffL) << 24
                                | (raw[1] & 0xffL) << 16
                                | (raw[2] & 0xffL) << 8
                                | raw[3] & 0xffL);
            }
            return of(raw);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("\"" + address + "\" is no IP address literal", e);
        }
    }

    /** The link-local GID of a MAC: fe80::/64 and the modified EUI-64 (RFC 4291, appendix A). */
    public static Gid linkLocal(long mac) {
        long upper = mac >>> 24 & 0xffffff;
        long lower = mac & 0xffffff;
        return new Gid(0xfe80L << 48, (upper ^ 0x020000) << 40 | 0xfffeL << 24 | lower);
    }

    /** Whether it is {@link #linkLocal} of some MAC. */
    public boolean isLinkLocalEui64() {
        return high == 0xfe80L << 48 && (low >>> 24 & 0xffff) == 0xfffe;
    }

    /** The MAC that a link-local GID was made of. */
    public long macOfLinkLocal() {
        if (!isLinkLocalEui64()) {
            throw new IllegalStateException(this + " is not a link-local GID made of a MAC");
        }
        return (low >>> 40 ^ 0x020000) << 24 | low & 0xffffff;
    }

    /** Whether it is an IPv4 address mapped into IPv6. */
    public boolean isIpv4Mapped() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** Whether it is a multicast address, of IPv6 or mapped from IPv4. */
    public boolean isMulticast() {
        return isIpv4Mapped() ? (low >>> 28 & 0xf) == 0xe : high >>> 56 == 0xff;
    }

    /**
     * The MAC of a multicast address: 33:33 and the last 32 bits (RFC 2464, 7), or for IPv4
     * 01:00:5e and the last 23 bits (RFC 1112, 6.4).
     */
    public long macOfMulticast() {
        if (!isMulticast()) {
            throw new IllegalStateException(this + " is no multicast address");
        }
        return isIpv4Mapped()
                ? 0x01_00_5e_00_00_00L | low & 0x7f_ffff
                : 0x33_33_00_00_00_00L | low & 0xffff_ffffL;
    }

    /** 16 bytes in network order. */
    public byte[] bytes() {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >>> 56 - 8 * i);
            bytes[8 + i] = (byte) (low >>> 56 - 8 * i);
        }
        return bytes;
    }

    private static long long64(byte[] bytes, int from) {
        long value = 0;
        for (int i = from; i < from + 8; i++) {
            value = value << 8 | bytes[i] & 0xff;
        }
        return value;
    }

    @Override
    public String toString() {
        if (isIpv4Mapped()) {
            return "::ffff:%d.%d.%d.%d"
                    .formatted(low >>> 24 & 255, low >>> 16 & 255, low >>> 8 & 255, low & 255);
        }
        String hex = HexFormat.of().formatHex(bytes());
        StringBuilder text = new StringBuilder(hex.substring(0, 4));
        for (int i = 4; i < 32; i += 4) {
            text.append(':').append(hex, i, i + 4);
        }
        return text.toString();
    }
}
