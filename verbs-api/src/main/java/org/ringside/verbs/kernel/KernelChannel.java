package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.VerbsException;

/**
 * A completion channel: struct ibv_comp_channel. The thread that waits sleeps in the kernel itself;
 * it looks up now and then, for an interrupt wakes nobody there.
 */
final class KernelChannel extends CompletionChannel {
    private static final int LOOK_UP_MILLIS = 50;

    private final KernelContext context;
    private final long channel;
    private final int vector;
    private final WakeUp wakeUp;
    private final Object eventLock = new Object();
    private final ReentrantLock waiting = new ReentrantLock();
    private final Arena arena = Arena.ofShared();
    private final long event = arena.allocate(2L * Long.BYTES, 8).address();
    private volatile boolean ended;

    KernelChannel(KernelContext context, long channel, int vector) throws VerbsException {
        super(context, vector);
        this.context = context;
        this.channel = channel;
        this.vector = vector;
        this.wakeUp =
                new WakeUp(
                        context.libraries(),
                        Raw.getInt(channel + Abi.CompChannel.FD),
                        "completion channel of " + context);
    }

    long address() {
        return channel;
    }

    int vector() {
        return vector;
    }

    /** Held while an event is taken, and while a CQ goes whose event it could be. */
    Object eventLock() {
        return eventLock;
    }

    @Override
    public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        waiting.lockInterruptibly();
        try {
            while (!ended) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long left = Math.max(0, deadline - System.nanoTime());
                long millis = TimeUnit.NANOSECONDS.toMillis(left + 999_999);
                KernelCq cq = wakeUp.await((int) Math.min(millis, LOOK_UP_MILLIS)) ? take() : null;
                if (cq != null || left == 0) {
                    return cq;
                }
            }
            return null;
        } finally {
            waiting.unlock();
        }
    }

    /** The CQ of the event that is there; null when that CQ has gone meanwhile. */
    private @Nullable KernelCq take() {
        synchronized (eventLock) {
            // What was readable may have gone with its CQ, and the call would sleep.
            if (!wakeUp.await(0)
                    || context.verbs().ibv_get_cq_event(channel, event, event + Long.BYTES) != 0) {
                return null;
            }
            KernelCq cq = context.cqAt(Raw.getLong(event));
            if (cq != null) {
                cq.gotEvent();
            }
            return cq;
        }
    }

    /** Wakes who waits, for good: the channel closes or the device is lost. */
    void end() {
        ended = true;
        wakeUp.wake();
    }

    @Override
    protected void doClose() throws VerbsException {
        end();
        waiting.lock();
        try {
            context.closed(this, context.verbs().ibv_destroy_comp_channel(channel));
            context.forget(this);
            wakeUp.close();
            arena.close();
        } finally {
            waiting.unlock();
        }
    }
}
