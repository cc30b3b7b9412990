package org.ringside.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.verbs.Context;

/**
 * The CQs of four providers: each a final class of its own that looks at the next entry of a ring
 * in memory, which is never there, as a poll mostly finds it.
 */
final class DispatchCqs {
    private static final int ENTRIES = 256;

    private DispatchCqs() {}

    /** The entries, of which the owner's word says whether they are there. */
    private static final class Ring {
        private final MemorySegment memory = Arena.ofAuto().allocate(ENTRIES * 64L, 64);
        private int next;

        boolean isThere() {
            boolean there = memory.get(JAVA_LONG, (long) (next & ENTRIES - 1) << 6) != 0;
            if (there) {
                next++;
            }
            return there;
        }
    }

    /** The second design of {@link DispatchBenchmark}: what a facade hands its calls to. */
    interface Polls {
        boolean startPoll();
    }

    /** Of a provider. */
    static final class First extends DispatchCq implements Polls {
        private final Ring ring = new Ring();

        First(Context context) {
            super(context);
        }

        @Override
        public boolean startPoll() {
            return ring.isThere();
        }
    }

    /** Of a provider. */
    static final class Second extends DispatchCq implements Polls {
        private final Ring ring = new Ring();

        Second(Context context) {
            super(context);
        }

        @Override
        public boolean startPoll() {
            return ring.isThere();
        }
    }

    /** Of a provider. */
    static final class Third extends DispatchCq implements Polls {
        private final Ring ring = new Ring();

        Third(Context context) {
            super(context);
        }

        @Override
        public boolean startPoll() {
            return ring.isThere();
        }
    }

    /** Of a provider. */
    static final class Fourth extends DispatchCq implements Polls {
        private final Ring ring = new Ring();

        Fourth(Context context) {
            super(context);
        }

        @Override
        public boolean startPoll() {
            return ring.isThere();
        }
    }
}
