package org.ringside.cli;

import java.time.Duration;
import java.util.List;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.WcStatus;

/**
 * Messages under way between ends of ours: handing them over, and waiting for what becomes of them.
 */
final class Messages {
    private final List<Side> sides;
    private final long timeoutNanos;

    /**
     * For some ends.
     *
     * @param timeout longest wait for one completion
     */
    Messages(Duration timeout, Side... sides) {
        this.sides = List.of(sides);
        this.timeoutNanos = timeout.toNanos();
    }

    static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new CommandFailedException("a work request was not taken: " + result);
        }
    }

    /** Waits for one completion, which must be that of this message, and good. */
    void complete(CompletionQueue cq, long message) {
        if (!cq.startPoll()) {
            long deadline = System.nanoTime() + timeoutNanos;
            while (!cq.startPoll()) {
                Thread.onSpinWait();
                if (System.nanoTime() - deadline > 0) {
                    throw new CommandFailedException(missing(cq, message));
                }
            }
        }
        WcStatus status = cq.status();
        long wrId = cq.wrId();
        int vendorError = cq.vendorError();
        cq.endPoll();
        if (status != WcStatus.SUCCESS || wrId != message) {
            throw new CommandFailedException(
                    "message %d completed as %d with %s, vendor error 0x%x%s"
                            .formatted(message, wrId, status, vendorError, lost(cq)));
        }
    }

    private static String lost(CompletionQueue cq) {
        return cq.context().isLost() ? "; the device is lost" : "";
    }

    /** A receive that does not complete has its reason at the sender. */
    private String missing(CompletionQueue cq, long message) {
        String why = lost(cq);
        for (Side side : sides) {
            if (side.sendCq.startPoll()) {
                if (side.sendCq.status() != WcStatus.SUCCESS) {
                    why +=
                            "; message %d of the sender ended with %s, vendor error 0x%x"
                                    .formatted(
                                            side.sendCq.wrId(),
                                            side.sendCq.status(),
                                            side.sendCq.vendorError());
                }
                side.sendCq.endPoll();
            }
        }
        return "no completion of message %d on %s within %d s%s"
                .formatted(message, cq, timeoutNanos / 1_000_000_000, why);
    }
}
