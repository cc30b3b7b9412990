package org.ringside.cli;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long a cache line takes from one core to another: the yardstick for latencies against an
 * emulated device, which is another core. It differs from one second to the next where a hypervisor
 * moves virtual CPUs, between two threads of a core and two sockets.
 */
final class CacheLine {
    private static final int ROUND_TRIPS = 500;
    private static final int WARM_UP_BATCHES = 10;
    private static final int BATCHES = 21;

    /** Nothing else is on the line in the middle, or is fetched beside it. */
    private static final int LENGTH = 64;

    private static final int TURN = 32;

    private CacheLine() {}

    /** Median of one crossing in nanoseconds; 0 where there are no two cores. */
    static double crossingNanos() throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            return 0;
        }
        AtomicLongArray memory = new AtomicLongArray(LENGTH);
        int batches = WARM_UP_BATCHES + BATCHES;
        Thread other = Thread.ofPlatform().daemon().start(() -> pass(memory, batches, 1, 0));
        long[] nanos = pass(memory, batches, 0, 1);
        other.join();
        long[] measured = Arrays.copyOfRange(nanos, WARM_UP_BATCHES, batches);
        Arrays.sort(measured);
        return measured[BATCHES / 2] / (2.0 * ROUND_TRIPS);
    }

    private static long[] pass(AtomicLongArray memory, int batches, long expected, long next) {
        long[] nanos = new long[batches];
        for (int i = 0; i < batches; i++) {
            long start = System.nanoTime();
            batch(memory, expected, next);
            nanos[i] = System.nanoTime() - start;
        }
        return nanos;
    }

    private static void batch(AtomicLongArray memory, long expected, long next) {
        for (int i = 0; i < ROUND_TRIPS; i++) {
            while (memory.getAcquire(TURN) != expected) {
                Thread.onSpinWait();
            }
            memory.setRelease(TURN, next);
        }
    }
}
