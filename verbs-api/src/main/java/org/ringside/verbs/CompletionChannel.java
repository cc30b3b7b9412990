package org.ringside.verbs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where CQs report that they were armed ({@link CompletionQueue#requestNotify}) and something came.
 * One thread waits on it; it then arms the CQ again and polls it until empty, in this order, or it
 * may miss one.
 */
public abstract class CompletionChannel extends VerbsObject {
    private final Context context;

    /** For providers. */
    protected CompletionChannel(Context context, int vector) {
        super("completion channel on vector " + vector + " of " + context.deviceName());
        this.context = context;
    }

    @Override
    final Object lock() {
        return context.lock();
    }

    public final Context context() {
        return context;
    }

    /**
     * Waits for a notification.
     *
     * @return the CQ that notified, or null when none did in time, the channel was closed or the
     *     device was lost
     */
    public abstract @Nullable CompletionQueue await(Duration timeout) throws InterruptedException;
}
