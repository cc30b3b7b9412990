package org.ringside.vfio.user;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of the requests that a {@link Connection} can have under way at a time, with its reply. Used
 * over and over; the id of each use is another, so that a reply that comes too late is told from
 * the one that is due.
 *
 * <pre>
 *   id   | use (10 bits) | slot (6 bits) |
 * </pre>
 */
final class Exchange {
    static final int SLOTS = 64;
    private static final int CAPACITY = 4096;

    private final int slot;
    private final Message request = new Message(CAPACITY);
    private Message reply = new Message(CAPACITY);
    private int use;
    private volatile @Nullable Thread waiter;
    private volatile boolean done;

    Exchange(int slot) {
        this.slot = slot;
    }

    static int slotOf(int id) {
        return id % SLOTS;
    }

    int slot() {
        return slot;
    }

    /** Starts a request with a payload of zeros. */
    Message request(Command command, int payloadSize) {
        use++;
        return request.request(command, (use * SLOTS + slot) & 0xffff, payloadSize);
    }

    Message request() {
        return request;
    }

    /** The reply that came; the caller's until the exchange is used again. */
    Message reply() {
        return reply;
    }

    /** Before the request is sent. */
    void expect() {
        done = false;
        waiter = Thread.currentThread();
    }

    /** Waits for the reply or the end of the connection; false when time ran out before. */
    boolean await(long timeoutNanos) {
        long start = System.nanoTime();
        boolean interrupted = false;
        while (!done) {
            long left = timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                break;
            }
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        waiter = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return done;
    }

    /** Whether the wait is over. */
    boolean isDone() {
        return done;
    }

    /** Whether a reply belongs to the request that is under way. */
    boolean fits(Message answer) {
        return !done && answer.id() == request.id() && answer.command() == request.command();
    }

    /** The reply has come: takes it, and gives a message to receive the next into. */
    Message complete(Message answer) {
        Message spare = reply;
        reply = answer;
        wake();
        return spare;
    }

    /** No reply will come. */
    void wake() {
        done = true;
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }
}
