package org.ringside.roce;

import org.ringside.roce.packet.Syndrome;
import org.ringside.verbs.WcStatus;

/**
 * When a requester repeats (IBTA 9.7.6): after the ACK timeout, after a NAK for lost packets, after
 * the wait that an RNR NAK asks for; and how often, before it gives up. Each answer that brings
 * something new starts the counting again.
 *
 * <p>Beside that, early repetition: when an answer is overdue by the measured round trip, the
 * requester goes back without counting. It finds the loss that nobody reports, that of the last
 * packet, of an ACK, of what was just repeated, in a few round trips instead of a timeout of 67 ms.
 */
final class RcRetry extends Timer {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long NOWHERE = -1;

    private final RcRequester requester;
    private final Transport transport;
    private final RoundTrip roundTrip = new RoundTrip();
    private int retriesLeft;
    private int rnrLeft;
    private int probes;
    private long since;
    private long progressed;
    private boolean notReady;

    /** PSN after the last that asked for an answer. */
    private long asked;

    /** The lost PSN that the requester last went back for: one report of it is enough. */
    private long recovering = NOWHERE;

    RcRetry(RcRequester requester) {
        this.requester = requester;
        this.transport = requester.qp.transport();
    }

    void start(long now) {
        roundTrip.reset();
        progressed = now;
        asked = requester.unacked;
        reload();
    }

    void stop() {
        transport.timers().cancel(this);
        notReady = false;
    }

    private void reload() {
        retriesLeft = requester.attributes().retryCount();
        rnrLeft = requester.attributes().rnrRetry();
        probes = 0;
        recovering = NOWHERE;
    }

    /** Whether the peer asked to wait. */
    boolean isNotReady() {
        return notReady;
    }

    /**
     * A packet leaves.
     *
     * @param asks whether it asks for an answer: then the clocks run from now (9.7.6.1.3)
     */
    void sent(long psn, boolean firstTime, boolean asks, long now) {
        if (!isPending()) {
            progressed = now;
        }
        if (asks) {
            asked = Math.max(asked, psn + 1);
            since = now;
            if (firstTime) {
                roundTrip.sent(psn, now);
                progressed = now;
            }
        }
        if (!isPending() || deadline() > due()) {
            arm();
        }
    }

    /** Something new was answered. */
    void progress(long now) {
        roundTrip.answered(requester.unacked, now);
        reload();
        since = now;
        progressed = now;
        if (notReady) {
            notReady = false;
            transport.timers().cancel(this);
        }
        if (!requester.isWaiting()) {
            transport.timers().cancel(this);
        } else if (!isPending() || deadline() > due()) {
            arm();
        }
        // A timer that is too early is left where it is, and finds out when it expires.
    }

    void wentBack() {
        roundTrip.retransmitted();
    }

    private void arm() {
        long due = due();
        if (due != NEVER) {
            transport.timers().schedule(this, due);
        }
    }

    private long due() {
        return Math.min(timeoutDue(), probeDue());
    }

    private long timeoutDue() {
        long timeout = requester.attributes().timeoutNanos();
        return timeout == NEVER ? NEVER : progressed + timeout;
    }

    private long probeDue() {
        boolean expected = asked > requester.unacked && roundTrip.isKnown();
        return expected && transport.options().earlyRetransmission()
                ? since + roundTrip.patience(probes)
                : NEVER;
    }

    @Override
    protected void expired(long now) {
        if (notReady) {
            notReady = false;
            since = now;
            progressed = now;
            requester.qp.kick();
            return; // The first packet sent arms it again.
        }
        if (!requester.isWaiting()) {
            return;
        }
        if (now >= timeoutDue()) {
            transport.count(Counter.ACK_TIMEOUT);
            progressed = now;
            since = now;
            if (useUpRetry()) {
                requester.goBack();
                arm();
            }
        } else if (now >= probeDue()) {
            transport.count(Counter.PROBE);
            probes++;
            since = now;
            recovering = NOWHERE;
            requester.goBack();
            arm();
        } else {
            arm();
        }
    }

    /** False when it was the last: then the request failed. */
    private boolean useUpRetry() {
        if (retriesLeft == 0) {
            transport.count(Counter.RETRY_EXCEEDED);
            requester.fail(WcStatus.RETRY_EXC_ERR);
            return false;
        }
        retriesLeft--;
        return true;
    }

    /** The oldest unanswered PSN is lost, as a NAK or a later answer says. */
    void lost(long now) {
        if (notReady || recovering == requester.unacked) {
            return;
        }
        if (useUpRetry()) {
            recovering = requester.unacked;
            since = now;
            requester.goBack();
        }
    }

    /** The peer had no receive for the oldest unanswered PSN. */
    void notReady(int syndrome, long now) {
        if (notReady) {
            return;
        }
        if (requester.attributes().rnrRetry() != SendAttributes.FOR_EVER) {
            if (rnrLeft == 0) {
                transport.count(Counter.RNR_RETRY_EXCEEDED);
                requester.fail(WcStatus.RNR_RETRY_EXC_ERR);
                return;
            }
            rnrLeft--;
        }
        // The packet came in order: what retries were used up for has been found. (rxe adds a
        // sequence NAK to each RNR NAK; when one of the pair is late or lost, the other costs one.)
        retriesLeft = requester.attributes().retryCount();
        notReady = true;
        recovering = NOWHERE;
        requester.goBack();
        transport.timers().schedule(this, now + Syndrome.rnrNanos(syndrome));
    }
}
