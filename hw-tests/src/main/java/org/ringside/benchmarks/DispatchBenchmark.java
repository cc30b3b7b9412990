package org.ringside.benchmarks;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.Verbs;
import org.ringside.verbs.VerbsException;

/**
 * What it costs that an operation goes to a provider by the API's class, with the objects of one to
 * four providers in turn at one call site. {@code Direct} calls each by its own class; {@code
 * ByApi} calls {@link QueuePair} and {@link CompletionQueue}, which the providers' final classes
 * extend; {@code ByFacade} is the other design, a final class of the API that hands the call to the
 * provider's interface: two calls, the second of them by an interface.
 *
 * <p>What proves that it is one call: {@code hw-tests/benchmarks 'Dispatch.*ByApi' -p types=4 -f 1
 * -jvmArgsAppend "-XX:+UnlockDiagnosticVMOptions -XX:+PrintInlining -XX:+PrintCompilation"}. In the
 * last compilation of the loop HotSpot says of {@code startPoll}: with one and two types the
 * providers' methods are inlined, behind a comparison of the object's class ({@code inline (hot)},
 * with the type profile); with three or four {@code virtual call}, which is a load of the method
 * from the object's class and one indirect call, and nothing before or after it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DispatchBenchmark {
    private static final int CALLS = 12;
    private static final int LKEY = 0x1200;
    private static final int RKEY = 0x3400;

    /** Providers in turn. */
    @Param({"1", "2", "3", "4"})
    public int types;

    private final QueuePair[] qps = new QueuePair[CALLS];
    private final CompletionQueue[] cqs = new CompletionQueue[CALLS];
    private final PostFacade[] postFacades = new PostFacade[CALLS];
    private final PollFacade[] pollFacades = new PollFacade[CALLS];
    private @Nullable Context device;

    /** The second design: a class of the API in front of the provider's. */
    private record PostFacade(DispatchQps.Posts provider) {
        void postWrite(Blackhole to, int i) {
            to.consume(provider.postWrite(i, 0, LKEY, 0x10000, 64, RKEY, 0x20000));
        }
    }

    /** The second design. */
    private record PollFacade(DispatchCqs.Polls provider) {
        boolean startPoll() {
            return provider.startPoll();
        }
    }

    /** Objects of each provider in turn. */
    @Setup
    public void prepare() throws VerbsException {
        Context context = Verbs.open("soft/dispatch");
        device = context;
        ProtectionDomain pd = context.createPd();
        CompletionQueue cq = context.createCq(16);
        QpOptions options = new QpOptions(cq);
        for (int i = 0; i < CALLS; i++) {
            qps[i] =
                    switch (i % types) {
                        case 0 -> new DispatchQps.First(pd, options);
                        case 1 -> new DispatchQps.Second(pd, options);
                        case 2 -> new DispatchQps.Third(pd, options);
                        default -> new DispatchQps.Fourth(pd, options);
                    };
            cqs[i] =
                    switch (i % types) {
                        case 0 -> new DispatchCqs.First(context);
                        case 1 -> new DispatchCqs.Second(context);
                        case 2 -> new DispatchCqs.Third(context);
                        default -> new DispatchCqs.Fourth(context);
                    };
            postFacades[i] = new PostFacade((DispatchQps.Posts) qps[i]);
            pollFacades[i] = new PollFacade((DispatchCqs.Polls) cqs[i]);
        }
    }

    /** Closes the device that the objects pretend to be of. */
    @TearDown
    public void end() throws VerbsException {
        if (device != null) {
            device.close();
        }
    }

    /** Each provider's own class is named, one behind the other. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void postDirect(Blackhole to) {
        for (int i = 0; i < CALLS; i += types) {
            to.consume(post((DispatchQps.First) qps[i], i));
            if (types > 1) {
                to.consume(post((DispatchQps.Second) qps[i + 1], i));
            }
            if (types > 2) {
                to.consume(post((DispatchQps.Third) qps[i + 2], i));
            }
            if (types > 3) {
                to.consume(post((DispatchQps.Fourth) qps[i + 3], i));
            }
        }
    }

    private static Object post(DispatchQps.First qp, int i) {
        return qp.postWrite(i, 0, LKEY, 0x10000, 64, RKEY, 0x20000);
    }

    private static Object post(DispatchQps.Second qp, int i) {
        return qp.postWrite(i, 0, LKEY, 0x10000, 64, RKEY, 0x20000);
    }

    private static Object post(DispatchQps.Third qp, int i) {
        return qp.postWrite(i, 0, LKEY, 0x10000, 64, RKEY, 0x20000);
    }

    private static Object post(DispatchQps.Fourth qp, int i) {
        return qp.postWrite(i, 0, LKEY, 0x10000, 64, RKEY, 0x20000);
    }

    /** By the API's class. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void postByApi(Blackhole to) {
        for (int i = 0; i < CALLS; i++) {
            to.consume(qps[i].postWrite(i, 0, LKEY, 0x10000, 64, RKEY, 0x20000));
        }
    }

    /** The other design. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public void postByFacade(Blackhole to) {
        for (int i = 0; i < CALLS; i++) {
            postFacades[i].postWrite(to, i);
        }
    }

    /** Each provider's own class is named, one behind the other. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int pollDirect() {
        int found = 0;
        for (int i = 0; i < CALLS; i += types) {
            found += ((DispatchCqs.First) cqs[i]).startPoll() ? 1 : 0;
            if (types > 1) {
                found += ((DispatchCqs.Second) cqs[i + 1]).startPoll() ? 1 : 0;
            }
            if (types > 2) {
                found += ((DispatchCqs.Third) cqs[i + 2]).startPoll() ? 1 : 0;
            }
            if (types > 3) {
                found += ((DispatchCqs.Fourth) cqs[i + 3]).startPoll() ? 1 : 0;
            }
        }
        return found;
    }

    /** By the API's class. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int pollByApi() {
        int found = 0;
        for (CompletionQueue each : cqs) {
            found += each.startPoll() ? 1 : 0;
        }
        return found;
    }

    /** The other design. */
    @Benchmark
    @OperationsPerInvocation(CALLS)
    public int pollByFacade() {
        int found = 0;
        for (PollFacade each : pollFacades) {
            found += each.startPoll() ? 1 : 0;
        }
        return found;
    }
}
