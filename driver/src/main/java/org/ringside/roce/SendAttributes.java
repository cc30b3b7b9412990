package org.ringside.roce;

/**
 * What a QP needs to know to request: attributes of the step to RTS (IBTA 11.2.5.2).
 *
 * @param sendPsn first PSN
 * @param timeout ACK timeout, 4.096 us * 2^timeout; 0 for none
 * @param retryCount 0 to 7 times
 * @param rnrRetry 0 to 6 times, 7 for ever
 * @param maxRdAtomic READs and atomics outstanding at once
 */
public record SendAttributes(
        int sendPsn, int timeout, int retryCount, int rnrRetry, int maxRdAtomic) {
    /** {@link #rnrRetry}: no limit. */
    public static final int FOR_EVER = 7;

    private static final long TIMEOUT_UNIT_NANOS = 4096;

    /** The ACK timeout; {@link Long#MAX_VALUE} for none. */
    long timeoutNanos() {
        return timeout == 0 ? Long.MAX_VALUE : TIMEOUT_UNIT_NANOS << timeout;
    }
}
