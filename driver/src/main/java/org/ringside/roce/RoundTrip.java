package org.ringside.roce;

/**
 * How long an answer takes, measured on one packet at a time, and what follows for the time after
 * which an answer must be taken for lost (RFC 6298, with a floor for a network of microseconds).
 */
final class RoundTrip {
    /** Not earlier than this, since the peer's thread may have been away. */
    static final long FLOOR_NANOS = 200_000;

    private static final int MAX_BACKOFF = 10;

    private long smoothed;
    private long deviation;
    private long samplePsn = -1;
    private long sampleTime;

    /** Forgets all. */
    void reset() {
        smoothed = 0;
        deviation = 0;
        samplePsn = -1;
    }

    /** A packet that will be answered leaves for the first time. */
    void sent(long psn, long now) {
        if (samplePsn < 0) {
            samplePsn = psn;
            sampleTime = now;
        }
    }

    /** Packets are sent again: answers do not tell to which copy. */
    void retransmitted() {
        samplePsn = -1;
    }

    /** All before this PSN is answered. */
    void answered(long beforePsn, long now) {
        if (samplePsn < 0 || samplePsn >= beforePsn) {
            return;
        }
        samplePsn = -1;
        long sample = Math.max(now - sampleTime, 1);
        if (smoothed == 0) {
            smoothed = sample;
            deviation = sample / 2;
        } else {
            deviation += (Math.abs(sample - smoothed) - deviation) / 4;
            smoothed += (sample - smoothed) / 8;
        }
    }

    /** Whether there was a measurement. */
    boolean isKnown() {
        return smoothed != 0;
    }

    /** When to repeat, in nanoseconds after the last progress; doubles with each attempt. */
    long patience(int attempts) {
        return Math.max(smoothed + 4 * deviation, FLOOR_NANOS) << Math.min(attempts, MAX_BACKOFF);
    }
}
