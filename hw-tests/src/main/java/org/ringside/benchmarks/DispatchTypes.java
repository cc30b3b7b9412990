package org.ringside.benchmarks;

/**
 * Stand-ins for the CQs of four providers: an abstract class of the API, and final classes whose
 * poll reads one word of memory of their own, as that of a ring does.
 */
final class DispatchTypes {
    private DispatchTypes() {}

    /** The API. */
    abstract static class Poller {
        abstract boolean startPoll();
    }

    /** A provider. */
    static final class First extends Poller {
        private int position = 0;

        @Override
        boolean startPoll() {
            return (position++ & 1) == 0;
        }
    }

    /** A provider. */
    static final class Second extends Poller {
        private int position = 1;

        @Override
        boolean startPoll() {
            return (position++ & 3) == 0;
        }
    }

    /** A provider. */
    static final class Third extends Poller {
        private int position = 2;

        @Override
        boolean startPoll() {
            return (position++ & 7) == 0;
        }
    }

    /** A provider. */
    static final class Fourth extends Poller {
        private int position = 3;

        @Override
        boolean startPoll() {
            return (position++ & 15) == 0;
        }
    }
}
