package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.ringside.verbs.Context;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcStatus;

/**
 * The traffic of a {@link Plan} from a QP of one device to a QP of another, both in this process:
 * {@link #turn} drives both ends. What arrives, and what comes back, is verified.
 */
final class InProcess implements End.Completions, AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

    private final String description;
    private final VerbsEnd left;
    private final VerbsEnd right;
    private final Requests requests;
    private final Arrivals arrivals;
    private long now = System.nanoTime();
    private long lastWork = now;

    /**
     * Connects two QPs.
     *
     * @param messages from the first device to the second
     */
    InProcess(Context from, int fromGid, Context to, int toGid, int messages)
            throws VerbsException {
        description = from.deviceName() + " to " + to.deviceName();
        left = new VerbsEnd(from, fromGid);
        right = new VerbsEnd(to, toGid);
        left.connect(right.endpoint());
        right.connect(left.endpoint());
        for (int slot = 0; slot < Plan.RECEIVES; slot++) {
            right.receive(slot);
        }
        requests = new Requests(left, right.memory().address(), right.rkey(), messages, now);
        arrivals = new Arrivals(right, messages);
    }

    /**
     * Posts what there is room for and takes what has completed.
     *
     * @return requests that have completed so far
     */
    int turn() throws IOException {
        now = System.nanoTime();
        requests.post();
        if (left.poll(this) + right.poll(this) > 0) {
            lastWork = now;
        } else if (now - lastWork > PATIENCE_NANOS) {
            throw new IOException(
                    "%s: nothing happened for %d s after %d messages"
                            .formatted(
                                    description,
                                    TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS),
                                    requests.done()));
        }
        return requests.done();
    }

    boolean isDone() {
        return requests.isDone() && arrivals.isDone();
    }

    /** Whether all that was to arrive has, exactly once. */
    void verify() {
        long counter = right.memory().get(JAVA_LONG, Plan.COUNTER);
        long chain = right.memory().get(JAVA_LONG, Plan.CHAIN);
        if (!isDone() || counter != requests.counter() || chain != requests.chain()) {
            throw new IllegalStateException(
                    "%s: %d requests, %d arrivals, counter 0x%x, chain 0x%x; expected counter 0x%x, chain 0x%x"
                            .formatted(
                                    description,
                                    requests.done(),
                                    arrivals.arrived(),
                                    counter,
                                    chain,
                                    requests.counter(),
                                    requests.chain()));
        }
    }

    @Override
    public void sent(int id, WcStatus status) {
        requests.completed(id, status, now);
    }

    @Override
    public void received(int slot, WcStatus status, long bytes, int immediate) {
        arrivals.received(slot, status, bytes, immediate);
    }

    @Override
    public String toString() {
        return description;
    }

    @Override
    public void close() throws VerbsException {
        left.close();
        right.close();
    }
}
