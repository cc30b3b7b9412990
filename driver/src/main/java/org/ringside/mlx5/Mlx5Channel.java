package org.ringside.mlx5;

import org.ringside.verbs.spi.MailboxChannel;

/** A completion channel, fed by the event thread. */
final class Mlx5Channel extends MailboxChannel<Mlx5Cq> {
    private final Mlx5Context context;
    private final EventQueue queue;

    Mlx5Channel(Mlx5Context context, int vector, EventQueue queue) {
        super(context, vector);
        this.context = context;
        this.queue = queue;
    }

    /** The EQ that its CQs report to. */
    EventQueue queue() {
        return queue;
    }

    @Override
    protected void doClose() {
        end();
        context.forget(this);
    }
}
