package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** Ethernet header: destination 6, source 6, optional 802.1Q tag 4, EtherType 2. */
public final class Ethernet {
    /** Bytes without a VLAN tag. */
    public static final int SIZE = 14;

    /** Bytes of a VLAN tag. */
    public static final int TAG_SIZE = 4;

    /** EtherType of IPv4. */
    public static final int IPV4 = 0x0800;

    /** EtherType of ARP. */
    public static final int ARP = 0x0806;

    /** EtherType of IPv6. */
    public static final int IPV6 = 0x86dd;

    /** EtherType of a VLAN tag. */
    public static final int VLAN = 0x8100;

    /** VLAN of a frame without a tag. */
    public static final int NO_VLAN = -1;

    /** All stations. */
    public static final long BROADCAST = 0xffff_ffff_ffffL;

    private static final int TYPE = 12;
    private static final int VLAN_ID = 0xfff;

    private Ethernet() {}

    /**
     * Writes the header.
     *
     * @param vlan tag (PCP, DEI, id; 16 bits) or {@link #NO_VLAN}
     * @return its length
     */
    public static int write(
            ByteBuffer bytes, long destination, long source, int vlan, int etherType) {
        bytes.putShort(0, (short) (destination >> 32));
        bytes.putInt(2, (int) destination);
        bytes.putShort(6, (short) (source >> 32));
        bytes.putInt(8, (int) source);
        if (vlan == NO_VLAN) {
            bytes.putShort(TYPE, (short) etherType);
            return SIZE;
        }
        bytes.putInt(TYPE, VLAN << 16 | vlan & 0xffff);
        bytes.putShort(TYPE + TAG_SIZE, (short) etherType);
        return SIZE + TAG_SIZE;
    }

    /** Destination MAC, in the low 48 bits. */
    public static long destination(ByteBuffer bytes) {
        return (bytes.getShort(0) & 0xffffL) << 32 | bytes.getInt(2) & 0xffff_ffffL;
    }

    /** Source MAC, in the low 48 bits. */
    public static long source(ByteBuffer bytes) {
        return (bytes.getShort(6) & 0xffffL) << 32 | bytes.getInt(8) & 0xffff_ffffL;
    }

    /**
     * VLAN id, or {@link #NO_VLAN}; a frame of at least {@link #SIZE} + {@link #TAG_SIZE} bytes.
     */
    public static int vlan(ByteBuffer bytes) {
        return hasTag(bytes) ? bytes.getShort(TYPE + 2) & VLAN_ID : NO_VLAN;
    }

    /** Length of the header of a frame that has at least {@link #SIZE} bytes. */
    public static int size(ByteBuffer bytes) {
        return hasTag(bytes) ? SIZE + TAG_SIZE : SIZE;
    }

    /** EtherType behind a tag, if there is one. */
    public static int etherType(ByteBuffer bytes) {
        return bytes.getShort(size(bytes) - 2) & 0xffff;
    }

    private static boolean hasTag(ByteBuffer bytes) {
        return (bytes.getShort(TYPE) & 0xffff) == VLAN;
    }

    /** Whether a MAC is that of a group. */
    public static boolean isMulticast(long mac) {
        return (mac >> 40 & 1) != 0;
    }

    /** As people write it. */
    public static String text(long mac) {
        StringBuilder text = new StringBuilder("%012x".formatted(mac));
        for (int i = 10; i > 0; i -= 2) {
            text.insert(i, ':');
        }
        return text.toString();
    }
}
