package org.ringside.verbs.cm.ib;

import org.ringside.verbs.Gid;
import org.ringside.verbs.cm.CmAddress;

/**
 * Who asks whom, as IP addresses: the first 36 bytes of the private data of REQ and SIDR_REQ (IBTA
 * Annex A11.3). The port of the one asked is in the service id.
 *
 * <pre>
 *   0  version 0   1  IP version, 4 bits   2  source port
 *   4  source, 16 bytes; IPv4 in the last four, the rest zero
 *  20  destination, likewise
 * </pre>
 */
record IpHeader(Gid source, int sourcePort, Gid destination) {
    static final int SIZE = 36;

    private static final int IP_VERSION = 1;
    private static final int SOURCE_PORT = 2;
    private static final int SOURCE = 4;
    private static final int DESTINATION = 20;
    private static final int V4 = 4;
    private static final int V6 = 6;

    void write(Mad mad, int at) {
        mad.u8(at + IP_VERSION, (source.isIpv4Mapped() ? V4 : V6) << 4);
        mad.u16(at + SOURCE_PORT, sourcePort);
        write(mad, at + SOURCE, source);
        write(mad, at + DESTINATION, destination);
    }

    private static void write(Mad mad, int at, Gid address) {
        mad.u64(at, address.high());
        mad.u64(
                at + Long.BYTES,
                address.isIpv4Mapped()
                        ? Integer.toUnsignedLong((int) address.low())
                        : address.low());
    }

    /** Whether it is one of a version and family that are known. */
    static boolean isKnown(Mad mad, int at) {
        int version = mad.u8(at + IP_VERSION) >>> 4;
        return mad.u8(at) == 0
                && (version == V4 || version == V6)
                && mad.u16(at + SOURCE_PORT) != 0;
    }

    static IpHeader read(Mad mad, int at) {
        boolean v4 = mad.u8(at + IP_VERSION) >>> 4 == V4;
        return new IpHeader(
                read(mad, at + SOURCE, v4),
                mad.u16(at + SOURCE_PORT),
                read(mad, at + DESTINATION, v4));
    }

    private static Gid read(Mad mad, int at, boolean v4) {
        long low = mad.u64(at + Long.BYTES);
        return v4 ? new Gid(0, 0xffff_0000_0000L | low & 0xffff_ffffL) : new Gid(mad.u64(at), low);
    }

    CmAddress peer() {
        return new CmAddress(source, sourcePort);
    }
}
