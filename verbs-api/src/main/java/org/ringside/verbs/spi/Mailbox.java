package org.ringside.verbs.spi;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * For providers: what is on its way from the device's thread to an application that may wait for
 * it, oldest first; when there is too much the oldest goes.
 *
 * <p>Threading: any thread.
 */
public final class Mailbox<T> {
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<T> waiting = new ArrayDeque<>();
    private boolean ended;

    /**
     * @param capacity what it keeps at most
     */
    public Mailbox(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Adds one.
     *
     * @return the oldest, if it had to make room; it is lost
     */
    public @Nullable T add(T item) {
        lock.lock();
        try {
            T lost = waiting.size() == capacity ? waiting.remove() : null;
            waiting.add(item);
            changed.signal();
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest; null when there is none. */
    public @Nullable T poll() {
        lock.lock();
        try {
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest, once there is one; null when none came in time or {@link #end} was said.
     */
    public @Nullable T await(Duration timeout) throws InterruptedException {
        long left = timeout.toNanos();
        lock.lockInterruptibly();
        try {
            while (waiting.isEmpty() && !ended && left > 0) {
                left = changed.awaitNanos(left);
            }
            return waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes out what nobody shall get any more. */
    public void removeIf(Predicate<? super T> unwanted) {
        lock.lock();
        try {
            waiting.removeIf(unwanted);
        } finally {
            lock.unlock();
        }
    }

    /** Wakes all who wait, for good; what is there can still be taken. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
