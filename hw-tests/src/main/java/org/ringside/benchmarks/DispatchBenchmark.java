package org.ringside.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.ringside.benchmarks.DispatchTypes.First;
import org.ringside.benchmarks.DispatchTypes.Fourth;
import org.ringside.benchmarks.DispatchTypes.Poller;
import org.ringside.benchmarks.DispatchTypes.Second;
import org.ringside.benchmarks.DispatchTypes.Third;

/**
 * What it costs that a call goes to a provider by the API's class, with one to four providers in
 * turn at one call site: {@link #byApi}. Beside it {@link #direct}, by the provider's own class,
 * and {@link #byTypeTest}, which asks for each class in turn before it calls the API.
 *
 * <p>HotSpot inlines a call of one or two receiver types behind a check of the class, which {@code
 * -jvmArgsAppend "-XX:+UnlockDiagnosticVMOptions -XX:+PrintInlining"} shows as {@code
 * DispatchTypes$First::startPoll inline (hot)}, {@code TypeProfile (n/m counts)}. Of more types it
 * says {@code virtual call}: one load from the class's method table and one indirect call.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DispatchBenchmark {
    private static final int CALLS = 12;

    /** Providers in turn. */
    @Param({"1", "2", "3", "4"})
    public int types;

    private final Poller[] pollers = new Poller[CALLS];
    private final First[] firsts = new First[CALLS];

    /** Receivers of each type in turn. */
    @Setup
    public void prepare() {
        for (int i = 0; i < CALLS; i++) {
            pollers[i] =
                    switch (i % types) {
                        case 0 -> new First();
                        case 1 -> new Second();
                        case 2 -> new Third();
                        default -> new Fourth();
                    };
            firsts[i] = new First();
        }
    }

    /** Calls of the provider's own class. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int direct() {
        int found = 0;
        for (First each : firsts) {
            found += each.startPoll() ? 1 : 0;
        }
        return found;
    }

    /** Calls by the API's class. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int byApi() {
        int found = 0;
        for (Poller each : pollers) {
            found += each.startPoll() ? 1 : 0;
        }
        return found;
    }

    /** Calls by the API's class, each type asked for before. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int byTypeTest() {
        int found = 0;
        for (Poller each : pollers) {
            found += typed(each) ? 1 : 0;
        }
        return found;
    }

    private static boolean typed(Poller each) {
        if (each instanceof First first) {
            return first.startPoll();
        }
        if (each instanceof Second second) {
            return second.startPoll();
        }
        if (each instanceof Third third) {
            return third.startPoll();
        }
        return each.startPoll();
    }
}
