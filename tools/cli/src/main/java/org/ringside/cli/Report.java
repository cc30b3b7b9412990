package org.ringside.cli;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * What is printed of a run that went well; one that did not never gets here.
 *
 * @param verified each byte, at this end; what is sent back is verified at the other
 * @param crossingBefore nanoseconds of {@link CacheLine}, before the run
 * @param crossingAfter and behind it
 */
record Report(
        String device,
        Operation operation,
        long size,
        int iterations,
        boolean verified,
        long bringUpNanos,
        Measurement measured,
        double crossingBefore,
        double crossingAfter) {
    String json() {
        Histogram h = measured.latency();
        return String.format(
                Locale.ROOT,
                "{\"device\":\"%s\",\"operation\":\"%s\",\"size\":%d,\"iterations\":%d,"
                        + "\"bringUpMillis\":%.3f,\"latencyNanos\":{\"min\":%d,\"p50\":%d,\"p99\":%d,"
                        + "\"p999\":%d,\"max\":%d},\"messagesPerSecond\":%.0f,\"verified\":%b}",
                escaped(device),
                operation.label(),
                size,
                iterations,
                bringUpNanos / 1e6,
                h.getMinValue(),
                h.getValueAtPercentile(50),
                h.getValueAtPercentile(99),
                h.getValueAtPercentile(99.9),
                h.getMaxValue(),
                measured.messagesPerSecond(),
                verified);
    }

    String text() {
        Histogram h = measured.latency();
        return String.format(
                Locale.ROOT,
                "%s: %s of %d bytes, %d iterations, %s%n"
                        + "bring-up   %.1f ms%n"
                        + "latency    min %.2f  p50 %.2f  p99 %.2f  p99.9 %.2f  max %.2f us (%s)%n"
                        + "rate       %,.0f messages/s, %.3f GB/s%n"
                        + "cores      a cache line crossed in %.2f us before, %.2f us after",
                device,
                operation,
                size,
                iterations,
                verified ? "every byte verified" : "sent back for the other end to verify",
                bringUpNanos / 1e6,
                h.getMinValue() / 1e3,
                h.getValueAtPercentile(50) / 1e3,
                h.getValueAtPercentile(99) / 1e3,
                h.getValueAtPercentile(99.9) / 1e3,
                h.getMaxValue() / 1e3,
                operation == Operation.SEND ? "half a round trip" : "post to completion",
                measured.messagesPerSecond(),
                measured.messagesPerSecond() * size / 1e9,
                crossingBefore / 1e3,
                crossingAfter / 1e3);
    }

    private static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
