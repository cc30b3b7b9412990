package org.ringside.cli;

import org.HdrHistogram.Histogram;

/**
 * What a run gave.
 *
 * @param latency nanoseconds of each operation
 * @param messages messages that were moved
 * @param busyNanos time spent moving them, without filling and verifying
 */
record Measurement(Histogram latency, long messages, long busyNanos) {
    double messagesPerSecond() {
        return messages * 1e9 / Math.max(1, busyNanos);
    }
}
