package org.ringside.roce;

/**
 * DCQCN, the reaction point (Zhu et al., SIGCOMM 2015, 3.1): a sender that is told of congestion
 * cuts its rate by how often it is told, then recovers: first back towards where it was, then
 * beyond in growing steps, until it is at line rate and nothing limits it any more.
 *
 * <pre>
 *   rate  ____                         ____ line rate
 *             |              _____----
 *             |_       __---      additive, then hyper increase
 *               |__---    fast recovery: half of the way to the target, five times
 *             ^ ^  notifications
 * </pre>
 *
 * <p>Of the paper's two triggers for an increase, a timer and a counter of bytes, only the timer is
 * here. Time is caught up with when somebody asks; a timer runs only while a packet must wait.
 */
final class CongestionControl extends Timer {
    static final long INTERVAL_NANOS = 55_000;

    private static final double GAIN = 1 / 256.0;
    private static final int FAST_STAGES = 5;
    private static final double BITS_PER_BYTE = 8;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double ADDITIVE = 40e6 / BITS_PER_BYTE / NANOS_PER_SECOND;
    private static final double HYPER = 10 * ADDITIVE;

    /** Slower than this nobody gets. */
    private static final double SLOWEST = 10e6 / BITS_PER_BYTE / NANOS_PER_SECOND;

    private final RoceQp qp;
    private final TimerWheel timers;
    private final double lineRate;
    private boolean limited;
    private double rate;
    private double target;
    private double alpha = 1;
    private int stage;
    private long nextIncrease;
    private long nextAlpha;
    private double nextPacket;

    CongestionControl(RoceQp qp, Transport transport) {
        this.qp = qp;
        this.timers = transport.timers();
        this.lineRate = transport.options().lineRate() / BITS_PER_BYTE / NANOS_PER_SECOND;
    }

    /** A congestion notification for the QP arrived. */
    void notified(long now) {
        if (lineRate == 0) {
            return;
        }
        catchUp(now);
        if (!limited) {
            limited = true;
            rate = lineRate;
            alpha = 1;
            nextPacket = now;
        }
        target = rate;
        rate = Math.max(rate * (1 - alpha / 2), SLOWEST);
        alpha = (1 - GAIN) * alpha + GAIN;
        stage = 0;
        nextIncrease = now + INTERVAL_NANOS;
        nextAlpha = now + INTERVAL_NANOS;
    }

    private void catchUp(long now) {
        while (limited && nextAlpha <= now) {
            alpha *= 1 - GAIN;
            nextAlpha += INTERVAL_NANOS;
            if (nextIncrease < nextAlpha) {
                increase();
                nextIncrease += INTERVAL_NANOS;
            }
        }
    }

    private void increase() {
        stage++;
        if (stage > 2 * FAST_STAGES) {
            target += HYPER * (stage - 2 * FAST_STAGES);
        } else if (stage > FAST_STAGES) {
            target += ADDITIVE;
        }
        target = Math.min(target, lineRate);
        rate = (rate + target) / 2;
        if (rate > lineRate * (1 - GAIN)) {
            limited = false;
        }
    }

    /** Whether the next packet must wait; if so, the QP gets its turn in time. */
    boolean holds(long now) {
        if (!limited) {
            return false;
        }
        catchUp(now);
        if (!limited || nextPacket <= now) {
            return false;
        }
        if (!isPending()) {
            timers.schedule(this, (long) nextPacket);
        }
        return true;
    }

    /** A packet of this size has left. */
    void sent(int bytes, long now) {
        if (limited) {
            nextPacket = Math.max(nextPacket, (double) now) + bytes / rate;
        }
    }

    /** Bytes in a second that the QP may send now. */
    double bytesPerSecond(long now) {
        catchUp(now);
        return (limited ? rate : lineRate) * NANOS_PER_SECOND;
    }

    void stop() {
        timers.cancel(this);
        limited = false;
    }

    @Override
    protected void expired(long now) {
        qp.kick();
    }
}
