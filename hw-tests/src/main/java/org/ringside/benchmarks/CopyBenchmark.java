package org.ringside.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * The floor under a WRITE of 64 KiB to the emulated device: one core fills a source, another copies
 * it, the first reads the copy. Both ends of the copy lie in the other core's cache each time, so
 * it is the distance of the cores that is measured, as in {@link CacheLineBenchmark}, for many
 * lines at once.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class CopyBenchmark {
    private static final long BYTES = 64 << 10;
    private static final int TURN = 32;
    private static final long FILL = 0;
    private static final long COPY = 1;

    private final AtomicLongArray memory = new AtomicLongArray(64);
    private final MemorySegment source = Arena.ofAuto().allocate(BYTES, 4096);
    private final MemorySegment target = Arena.ofAuto().allocate(BYTES, 4096);
    private long round;

    /** Time from the source being ready to the copy being there, without filling and reading. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Copies {
        private long nanos;
        private long copies;

        /** Of the copies alone. */
        public double gigabytesPerSecond() {
            return nanos == 0 ? 0 : (double) copies * BYTES / nanos;
        }
    }

    /** The application: fills, has it copied, reads. */
    @Benchmark
    @Group("copy64KiB")
    public long application(Control control, Copies copies) {
        round++;
        for (long at = 0; at < BYTES; at += Long.BYTES) {
            source.set(JAVA_LONG, at, round + at);
        }
        long start = System.nanoTime();
        memory.setRelease(TURN, COPY);
        while (memory.getAcquire(TURN) != FILL) {
            if (control.stopMeasurement) {
                return 0;
            }
            Thread.onSpinWait();
        }
        copies.nanos += System.nanoTime() - start;
        copies.copies++;
        long sum = 0;
        for (long at = 0; at < BYTES; at += Long.BYTES) {
            sum += target.get(JAVA_LONG, at);
        }
        return sum;
    }

    /** The device: copies. */
    @Benchmark
    @Group("copy64KiB")
    public void device(Control control) {
        while (memory.getAcquire(TURN) != COPY) {
            if (control.stopMeasurement) {
                return;
            }
            Thread.onSpinWait();
        }
        MemorySegment.copy(source, 0, target, 0, BYTES);
        memory.setRelease(TURN, FILL);
    }
}
