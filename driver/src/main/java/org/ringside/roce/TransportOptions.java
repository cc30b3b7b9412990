package org.ringside.roce;

/**
 * What a transport does beyond what the specification asks for.
 *
 * @param checkIcrc drop packets whose ICRC is wrong; off saves its cost where the wire is memory
 * @param sendNotifications answer congestion marks with congestion notifications
 * @param earlyRetransmission repeat after a few round trips without an answer, well before the ACK
 *     timeout and without counting it as a retry
 * @param window PSNs that may be unacknowledged
 * @param lineRate of the port in bits per second, from which DCQCN starts to slow a sender that is
 *     told of congestion; 0 for no reaction
 */
public record TransportOptions(
        boolean checkIcrc,
        boolean sendNotifications,
        boolean earlyRetransmission,
        int window,
        long lineRate) {
    /** What rxe allows to be unacknowledged too. */
    public static final TransportOptions DEFAULT =
            new TransportOptions(true, true, true, 128, 10_000_000_000L);
}
