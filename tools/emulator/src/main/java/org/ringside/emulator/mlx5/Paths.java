package org.ringside.emulator.mlx5;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.transport.QpState;
import org.ringside.mlx5.layout.Ads;
import org.ringside.mlx5.layout.CapabilityGroup;
import org.ringside.mlx5.layout.CmdHcaCap;
import org.ringside.mlx5.layout.RoceCap;

/** Address paths of connected QPs: what a function with this kind of port can reach. */
final class Paths {
    private static final int LOG_SMALLEST_PKEY_TABLE = 7;
    private static final int FIRST_MULTICAST_LID = 0xc000;

    private final Hca hca;

    Paths(Hca hca) {
        this.hca = hca;
    }

    static boolean isInfiniBand(Hca hca) {
        return hca.port().isInfiniBand();
    }

    /** Rows of the P_Key table of an InfiniBand port. */
    static int pkeyRows(Hca hca) {
        return 1
                << LOG_SMALLEST_PKEY_TABLE
                        + (int) hca.capabilities().get(CmdHcaCap.PKEY_TABLE_SIZE);
    }

    /** LID that packets go to; 0 where GIDs say it all. */
    int remoteLid(MemorySegment in, long path) {
        return isInfiniBand(hca) ? (int) Ads.RLID.get(in, path) : 0;
    }

    /** A row of the P_Key table. */
    int pkey(long row) {
        int rows = isInfiniBand(hca) ? pkeyRows(hca) : 1;
        if (row >= rows) {
            throw Refusal.of(Reason.BAD_INDEX, "pkey_index %d of a table of %d", row, rows);
        }
        return isInfiniBand(hca) ? hca.port().infiniBand().pkey((int) row) : QpState.DEFAULT_PKEY;
    }

    /** Refuses a path that leads nowhere. */
    void check(MemorySegment in, long path) {
        if (isInfiniBand(hca)) {
            checkInfiniBand(in, path);
        } else {
            checkRoce(in, path);
        }
    }

    private void checkInfiniBand(MemorySegment in, long path) {
        long lid = Ads.RLID.get(in, path);
        if (lid == 0 || lid >= FIRST_MULTICAST_LID) {
            throw Refusal.of(Reason.OUT_OF_RANGE, "rlid 0x%x is not a LID of a port", lid);
        }
        if (Ads.GRH.isSet(in, path)) {
            checkSource(in, path);
            checkPeer(in, path);
        }
    }

    /** RoCE v2, from a row of our table to a peer that is named in full. */
    private void checkRoce(MemorySegment in, long path) {
        if (!hca.port().isRoceEnabled()) {
            throw new Refusal(
                    Reason.ROCE_OFF, "roce_en of the NIC vport context is 0, and fl is not set");
        }
        checkSource(in, path);
        checkPeer(in, path);
        if (!Ads.RMAC_47_32.isSet(in, path) && !Ads.RMAC_31_0.isSet(in, path)) {
            throw new Refusal(Reason.OUT_OF_RANGE, "the peer's MAC address is zero");
        }
        if (!Ads.HOP_LIMIT.isSet(in, path)) {
            throw new Refusal(Reason.OUT_OF_RANGE, "hop_limit is 0");
        }
        checkSourcePort(Ads.UDP_SPORT.get(in, path));
    }

    private void checkSource(MemorySegment in, long path) {
        int row = (int) Ads.SRC_ADDR_INDEX.get(in, path);
        if (!hca.wire().hasGid(hca.engine(), row)) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE, "src_addr_index %d: there is no GID in this row", row);
        }
    }

    private static void checkPeer(MemorySegment in, long path) {
        long gid = path + Ads.RGID_RIP.offset();
        if ((Bits.big64(in, gid) | Bits.big64(in, gid + Long.BYTES)) == 0) {
            throw new Refusal(Reason.OUT_OF_RANGE, "the peer's GID is zero");
        }
    }

    private void checkSourcePort(long port) {
        boolean chosen =
                hca.capabilities().get(CapabilityGroup.ROCE, RoceCap.SW_R_ROCE_SRC_UDP_PORT) != 0;
        if (chosen
                && (port < CapabilityTables.MIN_SOURCE_PORT
                        || port > CapabilityTables.MAX_SOURCE_PORT)) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "udp_sport 0x%x is not between 0x%x and 0x%x",
                    port,
                    CapabilityTables.MIN_SOURCE_PORT,
                    CapabilityTables.MAX_SOURCE_PORT);
        }
        if (!chosen && port != 0) {
            throw Refusal.of(
                    Reason.OUT_OF_RANGE,
                    "udp_sport 0x%x, but sw_r_roce_src_udp_port is not set",
                    port);
        }
    }
}
