package org.ringside.verbs.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;

/**
 * For providers: a completion channel that a thread of theirs feeds. CQs that notified are handed
 * out in order.
 *
 * @param <Q> the provider's CQ
 */
public abstract class MailboxChannel<Q extends CompletionQueue> extends CompletionChannel {
    private final Mailbox<Q> notified = new Mailbox<>(Integer.MAX_VALUE);

    protected MailboxChannel(Context context, int vector) {
        super(context, vector);
    }

    /** A CQ that was armed has something. */
    public final void offer(Q cq) {
        notified.add(cq);
    }

    /** A CQ closes: nobody shall get it any more. */
    public final void forget(Q cq) {
        notified.removeIf(cq::equals);
    }

    @Override
    public final @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
        return notified.await(timeout);
    }

    /** Wakes all waiters for good: the channel closes or the device is lost. */
    public final void end() {
        notified.end();
    }
}
