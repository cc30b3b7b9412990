package org.ringside.mlx5;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.spi.Mailbox;

/** A completion channel: CQs that notified, in order, handed over by the event thread. */
final class Mlx5Channel extends CompletionChannel {
    private final Mlx5Context context;
    private final EventQueue queue;
    private final Mailbox<Mlx5Cq> notified = new Mailbox<>(Integer.MAX_VALUE);

    Mlx5Channel(Mlx5Context context, int vector, EventQueue queue) {
        super(context, vector);
        this.context = context;
        this.queue = queue;
    }

    /** The EQ that its CQs report to. */
    EventQueue queue() {
        return queue;
    }

    /** A CQ that was armed has something. On the event thread. */
    void offer(Mlx5Cq cq) {
        notified.add(cq);
    }

    /** A CQ closes: nobody shall get it any more. */
    void forget(Mlx5Cq cq) {
        notified.removeIf(each -> each == cq);
    }

    @Override
    public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
        return notified.await(timeout);
    }

    /** Wakes all waiters for good: the channel closes or the device is lost. */
    void end() {
        notified.end();
    }

    @Override
    protected void doClose() {
        end();
        context.forget(this);
    }
}
