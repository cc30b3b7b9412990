package org.ringside.verbs.cm.ib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ringside.verbs.Gid;

/**
 * Who sent a datagram to whom: the 40 bytes in front of it (IBTA 8.3, Annex A17.4.5.1). They are an
 * IPv6 header, or 20 bytes of no meaning and an IPv4 header; which of them, its checksum tells.
 */
record RouteHeader(Gid source, Gid destination) {
    static final int SIZE = 40;

    private static final int V4 = 20;
    private static final int V4_VERSION_AND_LENGTH = 0x45;
    private static final int V4_SOURCE = V4 + 12;
    private static final int V4_DESTINATION = V4 + 16;
    private static final int V6_SOURCE = 8;
    private static final int V6_DESTINATION = 24;
    private static final int ALL_ONES = 0xffff;
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    static RouteHeader read(MemorySegment header) {
        if (isV4(header)) {
            return new RouteHeader(
                    mapped(header.get(INT, V4_SOURCE)), mapped(header.get(INT, V4_DESTINATION)));
        }
        return new RouteHeader(gid(header, V6_SOURCE), gid(header, V6_DESTINATION));
    }

    private static boolean isV4(MemorySegment header) {
        if (header.get(ValueLayout.JAVA_BYTE, V4) != V4_VERSION_AND_LENGTH) {
            return false;
        }
        int sum = 0;
        for (int at = V4; at < SIZE; at += Short.BYTES) {
            sum += header.get(SHORT, at) & ALL_ONES;
        }
        return (sum & ALL_ONES) + (sum >>> Short.SIZE) == ALL_ONES;
    }

    private static Gid mapped(int address) {
        return new Gid(0, 0xffff_0000_0000L | Integer.toUnsignedLong(address));
    }

    private static Gid gid(MemorySegment header, int at) {
        return new Gid(header.get(LONG, at), header.get(LONG, at + Long.BYTES));
    }
}
