package org.ringside.roce;

import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.verbs.Gid;

/**
 * What a QP needs to know to respond: attributes of the step to RTR (IBTA 11.2.5.2).
 *
 * @param flow addresses, both ways
 * @param peerQp the peer's number
 * @param mtu path MTU in bytes
 * @param receivePsn first PSN of the peer
 * @param maxDestRdAtomic READs and atomics of the peer that are kept for repetition
 * @param minRnrTimer timer code that the peer is told when no receive is posted
 * @param access rights of {@link Memory} that the peer has at all
 */
public record Connection(
        Flow flow,
        int peerQp,
        int mtu,
        int receivePsn,
        int maxDestRdAtomic,
        int minRnrTimer,
        int access) {
    /** Of a UD QP, which has no peer: only the MTU counts. */
    public static Connection none(int mtu) {
        return new Connection(NOWHERE, 0, mtu, 0, 0, 0, 0);
    }

    private static final Flow NOWHERE =
            new Flow(0, 0, Ethernet.NO_VLAN, Gid.NONE, Gid.NONE, 0, 0, 0, 0);
}
