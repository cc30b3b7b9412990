package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.ringside.mlx5.layout.WqeLayout;

/**
 * Datagram segment of a send WQE: where it goes (rdma-core struct mlx5_wqe_av). Reused for each
 * WQE.
 *
 * <pre>
 *   +0   qkey:32          | 0:32     | ext:1 0:7 dqpn:24 | rate:4 sl:4 fl:1 mlid:7 rlid:16
 *   +16  0:32 | rmac:48 tclass:8 hop:8 | 0:1 grh:1 sgid:10 flow:20      only with ext
 *   +32  rgid:128                                                       only with ext
 * </pre>
 */
final class AddressVector {
    /** Destination LIDs from here on are multicast groups (IBTA 4.1.1). */
    static final int FIRST_MULTICAST_LID = 0xc000;

    /** The permissive LID: to whom it may concern; directed route packets carry it. */
    static final int PERMISSIVE_LID = 0xffff;

    private static final int PATH = 12;
    private static final int CLASS_AND_HOPS = 24;
    private static final int GRH = 28;
    private static final int GID = 32;
    private static final int GRH_BIT = 1 << 30;
    private static final int QPN_MASK = 0xff_ffff;

    int qkey;
    int qpn;
    int lid;
    int serviceLevel;
    boolean forceLoopback;
    boolean global;
    int sourceGidIndex;
    int flowLabel;
    int trafficClass;
    int hopLimit;
    long gidHigh;
    long gidLow;

    /** Bytes of the segment that starts at an offset, whose first 16 are there. */
    static int size(MemorySegment wqe, long at) {
        return BigEndian.getInt(wqe, at + WqeLayout.AV_DQP) < 0
                ? WqeLayout.AV_SIZE
                : WqeLayout.AV_COMPACT_SIZE;
    }

    void read(MemorySegment wqe, long at) {
        qkey = BigEndian.getInt(wqe, at + WqeLayout.AV_QKEY);
        int word = BigEndian.getInt(wqe, at + WqeLayout.AV_DQP);
        qpn = word & QPN_MASK;
        int path = BigEndian.getInt(wqe, at + PATH);
        lid = path & 0xffff;
        serviceLevel = path >>> 24 & 0xf;
        forceLoopback = (path & 0x80_0000) != 0;
        boolean extended = (word & WqeLayout.AV_EXTENDED) != 0;
        int grh = extended ? BigEndian.getInt(wqe, at + GRH) : 0;
        global = (grh & GRH_BIT) != 0;
        sourceGidIndex = grh >>> 20 & 0x3ff;
        flowLabel = grh & 0xf_ffff;
        int classAndHops = extended ? BigEndian.getInt(wqe, at + CLASS_AND_HOPS) : 0;
        trafficClass = classAndHops >>> 8 & 0xff;
        hopLimit = classAndHops & 0xff;
        gidHigh = extended ? BigEndian.getLong(wqe, at + GID) : 0;
        gidLow = extended ? BigEndian.getLong(wqe, at + GID + 8) : 0;
    }

    boolean isMulticast() {
        return lid >= FIRST_MULTICAST_LID && lid != PERMISSIVE_LID;
    }

    @Override
    public String toString() {
        return "QP 0x%x at LID 0x%x".formatted(qpn, lid);
    }
}
