package org.ringside.ethernet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FrameReceiver;

/**
 * Frames on their way to one receiver, copied in by many senders. Bounded; a slot says by a number
 * whose it is: the position at which it is free, or one more when it holds a frame.
 *
 * <pre>
 *   turn of a slot:   p free -> (copied) p + 1 full -> (received) p + slots free
 * </pre>
 */
final class FrameQueue {
    private static final VarHandle TURN = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TAIL;

    static {
        try {
            TAIL = MethodHandles.lookup().findVarHandle(FrameQueue.class, "tail", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Frame[] frames;
    private final long[] turns;
    private final int mask;
    private long head;

    @SuppressWarnings("unused")
    private long tail;

    /**
     * @param slots a power of two
     */
    FrameQueue(int slots) {
        frames = Frame.allocate(slots);
        turns = new long[slots];
        mask = slots - 1;
        for (int i = 0; i < slots; i++) {
            turns[i] = i;
        }
    }

    /**
     * Copies a frame in. On any thread.
     *
     * @return false when there is no room
     */
    boolean offer(Frame frame) {
        while (true) {
            long at = (long) TAIL.getAcquire(this);
            int slot = (int) at & mask;
            long turn = (long) TURN.getAcquire(turns, slot);
            if (turn < at) {
                return false;
            }
            if (turn == at && TAIL.compareAndSet(this, at, at + 1)) {
                frames[slot].copyOf(frame);
                TURN.setRelease(turns, slot, at + 1);
                return true;
            }
        }
    }

    /**
     * Hands on what has come. On the receiver's thread.
     *
     * @return frames
     */
    int drain(FrameReceiver receiver, long now) {
        long end = head + mask + 1;
        long from = head;
        while (head != end) {
            int slot = (int) head & mask;
            if ((long) TURN.getAcquire(turns, slot) != head + 1) {
                break;
            }
            receiver.receive(frames[slot], now);
            TURN.setRelease(turns, slot, head + mask + 1);
            head++;
        }
        return (int) (head - from);
    }
}
