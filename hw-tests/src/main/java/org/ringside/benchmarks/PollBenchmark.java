package org.ringside.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.ringside.verbs.WorkCompletions;

/**
 * What a poll costs on a ring in memory, beside a floor that makes the same loads and stores and
 * nothing else. In each but the empty poll one store stands for the device: it writes the last
 * eight bytes of the next CQE.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PollBenchmark {
    private static final VarHandle LONG = JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();

    /** WRITE opcode and QP number, as the device puts them. */
    private static final long WORD = 8L << 56 | (long) Rings.QP_NUMBER << 32;

    private static final int LAST_WORD = 56;

    private final Arena arena = Arena.ofAuto();

    private final Rings rings = new Rings(arena);
    private final MemorySegment cqes = arena.allocate(Rings.CQES * 64L, 4096);
    private final MemorySegment record = arena.allocate(64, 64);
    private final long[] wrIds = new long[Rings.BLOCKS];
    private final int[] after = new int[Rings.BLOCKS];
    private final WorkCompletions one = new WorkCompletions(1);
    private final WorkCompletions sixteen = new WorkCompletions(16);
    private int produced;
    private int consumer;
    private int tail;

    /** The device's part. */
    private void produce(MemorySegment into) {
        int index = produced++;
        long owner = index >>> Rings.LOG_CQES & 1L;
        long counter = index & 0xffffL;
        LONG.setRelease(
                into,
                ((long) (index & Rings.CQES - 1) << 6) + LAST_WORD,
                WORD | counter << 16 | owner);
    }

    /** One good CQE by the cursor, with number and status read. */
    @Benchmark
    public long pollByCursor() {
        produce(rings.cqes);
        rings.completions.startPoll();
        long result = rings.completions.wrId() + rings.completions.status().ordinal();
        rings.completions.endPoll();
        return result;
    }

    /** One good CQE by the batch poll. */
    @Benchmark
    public long pollBatchOfOne() {
        produce(rings.cqes);
        rings.completions.poll(one);
        return one.wrId(0);
    }

    /** Sixteen good CQEs by one poll; the figure is for all of them. */
    @Benchmark
    public long pollBatchOfSixteen() {
        for (int i = 0; i < 16; i++) {
            produce(rings.cqes);
        }
        return rings.completions.poll(sixteen);
    }

    /** An empty CQ. */
    @Benchmark
    public boolean pollEmpty() {
        return rings.completions.startPoll();
    }

    /**
     * The floor of {@link #pollByCursor}: the device's store, the load of owner and counter, the
     * look-up of the caller's number, the store of the send queue's tail and of the consumer index,
     * no checks.
     */
    @Benchmark
    public long floorOfPollByCursor() {
        produce(cqes);
        int index = consumer;
        long word =
                (long) LONG.getAcquire(cqes, ((long) (index & Rings.CQES - 1) << 6) + LAST_WORD);
        if ((word & 1) != (index >>> Rings.LOG_CQES & 1)) {
            return -1;
        }
        int slot = (int) word >>> 16 & Rings.BLOCKS - 1;
        tail = after[slot];
        consumer = index + 1;
        INT.setRelease(record, 0L, consumer & 0xff_ffff);
        return wrIds[slot];
    }

    /** Kept alive, as the queue's tail is. */
    int tail() {
        return tail;
    }
}
