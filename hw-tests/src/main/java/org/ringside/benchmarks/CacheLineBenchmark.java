package org.ringside.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Control;

/**
 * What it costs on this machine to pass a cache line from one core to another and back: the
 * yardstick for latencies against the emulated device, which is another core. Half the figure is
 * one crossing; a message to the device and its completion are two crossings for each of doorbell,
 * WQE, data and CQE that have to move.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CacheLineBenchmark {
    private static final VarHandle TURN = MethodHandles.arrayElementVarHandle(long[].class);

    /** In the middle of 512 bytes, so that nothing else is on the line or is fetched beside it. */
    private final long[] memory = new long[64];

    private static final int TURN_INDEX = 32;

    /** Reading the clock once for many keeps it out of the figure. */
    private static final int ROUND_TRIPS = 100;

    /** One side: waits for 0, makes it 1. */
    @Benchmark
    @Group("roundTrip")
    @OperationsPerInvocation(ROUND_TRIPS)
    public void there(Control control) {
        pass(control, 0, 1);
    }

    /** The other side. */
    @Benchmark
    @Group("roundTrip")
    @OperationsPerInvocation(ROUND_TRIPS)
    public void back(Control control) {
        pass(control, 1, 0);
    }

    private void pass(Control control, long expected, long next) {
        for (int i = 0; i < ROUND_TRIPS; i++) {
            while ((long) TURN.getAcquire(memory, TURN_INDEX) != expected) {
                if (control.stopMeasurement) {
                    return;
                }
                Thread.onSpinWait();
            }
            TURN.setRelease(memory, TURN_INDEX, next);
        }
    }
}
