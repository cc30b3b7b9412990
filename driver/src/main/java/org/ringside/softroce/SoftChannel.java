package org.ringside.softroce;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.spi.Mailbox;

/** A completion channel: CQs that notified, in order, handed over by the agent. */
final class SoftChannel extends CompletionChannel {
    private final SoftContext context;
    private final Mailbox<SoftCq> notified = new Mailbox<>(Integer.MAX_VALUE);

    SoftChannel(SoftContext context, int vector) {
        super(context, vector);
        this.context = context;
    }

    void offer(SoftCq cq) {
        notified.add(cq);
    }

    void forget(SoftCq cq) {
        notified.removeIf(each -> each == cq);
    }

    @Override
    public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
        return notified.await(timeout);
    }

    /** Wakes all waiters for good. */
    void end() {
        notified.end();
    }

    @Override
    protected void doClose() {
        end();
        context.forget(this);
    }
}
