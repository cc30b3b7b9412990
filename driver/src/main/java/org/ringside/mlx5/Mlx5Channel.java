package org.ringside.mlx5;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;

/** A completion channel: CQs that notified, in order, handed over by the event thread. */
final class Mlx5Channel extends CompletionChannel {
    private final Mlx5Context context;
    private final EventQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Mlx5Cq> notified = new ArrayDeque<>();
    private boolean ended;

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
        lock.lock();
        try {
            notified.add(cq);
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** A CQ closes: nobody shall get it any more. */
    void forget(Mlx5Cq cq) {
        lock.lock();
        try {
            notified.removeIf(each -> each == cq);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (notified.isEmpty() && !ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return notified.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes all waiters for good: the channel closes or the device is lost. */
    void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void doClose() {
        end();
        context.forget(this);
    }
}
