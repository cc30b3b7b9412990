package org.ringside.verbs;

import org.jspecify.annotations.Nullable;

/**
 * The way to a peer (IBTA vol. 1, 11.2.2.1; struct ibv_ah_attr).
 *
 * @param destinationLid LID on InfiniBand, 0 on Ethernet
 * @param destinationGid GID of the peer; on Ethernet always there
 * @param sourceGidIndex index in the local GID table
 * @param destinationMac MAC of the peer or of the router towards it, Ethernet only; null to derive
 *     it from a link-local GID
 * @param serviceLevel 0 to 15
 * @param trafficClass 8 bits: DSCP and ECN on RoCEv2
 * @param flowLabel 20 bits
 * @param hopLimit 8 bits
 */
public record AddressVector(
        int destinationLid,
        Gid destinationGid,
        int sourceGidIndex,
        @Nullable Long destinationMac,
        int serviceLevel,
        int trafficClass,
        int flowLabel,
        int hopLimit) {
    public AddressVector {
        Checks.bits("destination LID", destinationLid, 16);
        Checks.bits("service level", serviceLevel, 4);
        Checks.bits("traffic class", trafficClass, 8);
        Checks.bits("flow label", flowLabel, 20);
        Checks.bits("hop limit", hopLimit, 8);
        if (destinationMac != null) {
            Checks.bits("destination MAC", destinationMac, 48);
        }
    }

    /** To an endpoint by its addresses, with usual values for the rest. */
    public static AddressVector to(Endpoint peer, int sourceGidIndex) {
        return new AddressVector(peer.lid(), peer.gid(), sourceGidIndex, null, 0, 0, 0, 64);
    }
}
