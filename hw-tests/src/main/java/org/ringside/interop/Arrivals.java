package org.ringside.interop;

import org.ringside.verbs.WcStatus;

/**
 * The receiver's part of a {@link Plan}: takes the peer's messages with immediate data, each
 * exactly once and in order, and verifies its contents.
 */
final class Arrivals {
    private final End end;
    private final int wanted;
    private int arrived;
    private int next;

    /**
     * @param messages of the peer, of all kinds
     */
    Arrivals(End end, int messages) {
        this.end = end;
        this.wanted = Plan.notifications(messages);
    }

    boolean isDone() {
        return arrived == wanted;
    }

    int arrived() {
        return arrived;
    }

    /** A receive has completed; its slot is posted again. */
    void received(int slot, WcStatus status, long bytes, int immediate) {
        if (status != WcStatus.SUCCESS) {
            throw new IllegalStateException(
                    "the receive of message %d ended with %s".formatted(next, status));
        }
        if (arrived == wanted || immediate != next) {
            throw new IllegalStateException(
                    "message %d came, expected %s"
                            .formatted(immediate, arrived == wanted ? "none" : next));
        }
        if (Plan.kind(next) == Plan.Kind.SEND_IMMEDIATE) {
            if (bytes != Plan.size(next)) {
                throw new IllegalStateException(
                        "message %d has %d bytes, expected %d"
                                .formatted(next, bytes, Plan.size(next)));
            }
            Plan.verify("SEND", next, end.memory(), Plan.RECEIVED + (long) slot * Plan.SLOT);
        } else {
            Plan.verify("WRITE with immediate", next, end.memory(), Plan.notified(arrived));
        }
        do {
            next++;
        } while (Plan.notifications(next + 1) == Plan.notifications(next));
        arrived++;
        end.receive(slot);
    }
}
