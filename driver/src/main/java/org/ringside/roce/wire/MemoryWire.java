package org.ringside.roce.wire;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.Link;
import org.ringside.roce.packet.Frame;

/**
 * Two ends in one process, with the {@link Mishaps} of a real wire. Time is what its user says, so
 * a test with a simulated clock is the same each time.
 *
 * <p>One thread. Frames in flight are copies in a pool; when it is empty the wire is full and
 * {@link Link#acquire} says so.
 */
public final class MemoryWire {
    /** Ends of the wire. */
    public static final int LEFT = 0;

    /** The other end. */
    public static final int RIGHT = 1;

    private final Mishaps mishaps;
    private final SplittableRandom random;
    private final FramePool pool;
    private final Flight flight;
    private final End[] ends = new End[2];
    private @Nullable BiConsumer<Frame, Long> tap;
    private long now;

    /**
     * @param frames that can be on their way at once
     */
    public MemoryWire(Mishaps mishaps, long seed, int frames) {
        this.mishaps = mishaps;
        this.random = new SplittableRandom(seed);
        this.pool = new FramePool(frames);
        this.flight = new Flight(frames);
        ends[LEFT] = new End(RIGHT);
        ends[RIGHT] = new End(LEFT);
    }

    /** Shows each frame that enters the wire, before anything happens to it, with its time. */
    public void tap(BiConsumer<Frame, Long> to) {
        tap = to;
    }

    /** The end at which somebody sends. */
    public Link link(int end) {
        return ends[end];
    }

    /** Tells the wire the time. */
    public void time(long nanos) {
        now = nanos;
    }

    /** When the next frame arrives; {@link Long#MAX_VALUE} when none is on its way. */
    public long nextArrival() {
        return flight.isEmpty() ? Long.MAX_VALUE : flight.time();
    }

    /**
     * The next frame that has arrived by now; null when there is none. It must be given back by
     * {@link #done}.
     */
    public @Nullable Frame arrived() {
        return flight.isEmpty() || flight.time() > now ? null : flight.frame();
    }

    /** At which end {@link #arrived} is. */
    public int arrivedAt() {
        return flight.end();
    }

    /** The arrived frame has been dealt with. */
    public void done() {
        pool.give(flight.remove());
    }

    private final class End implements Link {
        private final int other;

        End(int other) {
            this.other = other;
        }

        @Override
        public @Nullable Frame acquire() {
            return pool.take();
        }

        @Override
        public void transmit(Frame frame) {
            BiConsumer<Frame, Long> shown = tap;
            if (shown != null) {
                shown.accept(frame, now);
            }
            if (mishaps.duplicates(random)) {
                Frame copy = pool.take();
                if (copy != null) {
                    copy.copyOf(frame);
                    fly(copy);
                }
            }
            fly(frame);
        }

        private void fly(Frame frame) {
            if (mishaps.loses(random)) {
                pool.give(frame);
                return;
            }
            mishaps.corrupt(frame, random);
            flight.add(now + mishaps.travel(random), other, frame);
        }

        @Override
        public void abandon(Frame frame) {
            pool.give(frame);
        }
    }
}
