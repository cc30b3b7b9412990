package org.ringside.verbs;

import java.util.Objects;
import java.util.Set;

/**
 * What the transitions of a connected QP need, one record each, with the fields that IBTA vol. 1,
 * 11.2.5.3 asks for. Numbers that the wire codes keep their code: timers are exponents or table
 * indices.
 */
public final class QpTransitions {
    private QpTransitions() {}

    /**
     * RESET to INIT.
     *
     * @param port port number from 1
     * @param pkeyIndex index in the P_Key table
     * @param access what the peer may do
     */
    public record ToInit(int port, int pkeyIndex, Set<Access> access) {
        public ToInit {
            Checks.bits("P_Key index", pkeyIndex, 16);
            access = Set.copyOf(access);
        }
    }

    /**
     * RESET to INIT of a QP for datagrams.
     *
     * @param port port number from 1
     * @param pkeyIndex index in the P_Key table
     * @param qkey what a datagram has to carry to be received (IBTA 10.2.5)
     */
    public record ToInitDatagram(int port, int pkeyIndex, int qkey) {
        public ToInitDatagram {
            Checks.bits("P_Key index", pkeyIndex, 16);
        }
    }

    /**
     * INIT to RTR.
     *
     * @param path the way to the peer
     * @param mtu path MTU
     * @param destinationQp the peer's QP number
     * @param receivePsn PSN that the peer starts with
     * @param maxDestRdAtomic READs and atomics of the peer outstanding here
     * @param minRnrTimer code 0 to 31 of the wait asked from the peer when no receive is posted
     *     (IBTA table 46)
     */
    public record ToRtr(
            AddressVector path,
            Mtu mtu,
            int destinationQp,
            int receivePsn,
            int maxDestRdAtomic,
            int minRnrTimer) {
        public ToRtr {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(mtu, "mtu");
            Checks.bits("destination QP", destinationQp, 24);
            Checks.bits("receive PSN", receivePsn, 24);
            Checks.range("max_dest_rd_atomic", maxDestRdAtomic, 0, 255);
            Checks.bits("min_rnr_timer", minRnrTimer, 5);
        }
    }

    /**
     * RTR to RTS.
     *
     * @param sendPsn PSN to start with
     * @param timeout local ACK timeout, 4.096 µs times 2 to this; 0 waits for ever
     * @param retryCount resends after a timeout, 0 to 7
     * @param rnrRetry resends after RNR NAK, 0 to 6; 7 is without end
     * @param maxRdAtomic own READs and atomics outstanding
     */
    public record ToRts(int sendPsn, int timeout, int retryCount, int rnrRetry, int maxRdAtomic) {
        public ToRts {
            Checks.bits("send PSN", sendPsn, 24);
            Checks.bits("timeout", timeout, 5);
            Checks.bits("retry count", retryCount, 3);
            Checks.bits("RNR retry count", rnrRetry, 3);
            Checks.range("max_rd_atomic", maxRdAtomic, 0, 255);
        }
    }
}
