package org.ringside.verbs.spi;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.AsyncEvent;

/**
 * For providers: asynchronous events that nobody has taken yet, oldest first; when there are too
 * many the oldest go, and the log says so.
 *
 * <p>Threading: any thread.
 */
public final class EventMailbox {
    private static final Logger LOG = System.getLogger(EventMailbox.class.getName());
    private static final int KEPT = 1024;

    private final Mailbox<AsyncEvent> waiting = new Mailbox<>(KEPT);

    /** Adds one. */
    public void add(AsyncEvent event) {
        AsyncEvent lost = waiting.add(event);
        if (lost != null) {
            LOG.log(Level.WARNING, "nobody takes events; {0} is dropped", lost);
        }
    }

    /** See {@link Mailbox#poll}. */
    public @Nullable AsyncEvent poll() {
        return waiting.poll();
    }

    /** See {@link Mailbox#await}. */
    public @Nullable AsyncEvent await(Duration timeout) throws InterruptedException {
        return waiting.await(timeout);
    }

    /** See {@link Mailbox#end}. */
    public void end() {
        waiting.end();
    }
}
