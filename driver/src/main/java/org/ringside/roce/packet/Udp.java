package org.ringside.roce.packet;

import java.nio.ByteBuffer;

/** UDP header: source port 2, destination port 2, length 2, checksum 2 (RFC 768). */
public final class Udp {
    /** Bytes of the header. */
    public static final int SIZE = 8;

    /** Destination port of RoCEv2 (A17.3.2). */
    public static final int ROCE_PORT = 4791;

    static final int LENGTH = 4;

    private static final int LOWEST_SOURCE_PORT = 0xc000;
    private static final int FLOW_LABEL = 0xf_ffff;

    private Udp() {}

    static int destinationPort(ByteBuffer bytes, int udp) {
        return bytes.getShort(udp + 2) & 0xffff;
    }

    static int sourcePort(ByteBuffer bytes, int udp) {
        return bytes.getShort(udp) & 0xffff;
    }

    static int length(ByteBuffer bytes, int udp) {
        return bytes.getShort(udp + LENGTH) & 0xffff;
    }

    /**
     * Source port of a connection: spreads flows over paths, equal on both ends, as Linux chooses
     * it (include/rdma/ib_verbs.h, rdma_get_udp_sport).
     *
     * @param flowLabel GRH flow label; 0 for one made of the QPNs
     */
    public static int sourcePort(int flowLabel, int localQp, int remoteQp) {
        int label = flowLabel;
        if (label == 0) {
            long product = (long) localQp * remoteQp;
            product ^= product >>> 20;
            product ^= product >>> 40;
            label = (int) product & FLOW_LABEL;
        }
        return (label & 0x3fff ^ label >>> 14) & 0x3fff | LOWEST_SOURCE_PORT;
    }
}
