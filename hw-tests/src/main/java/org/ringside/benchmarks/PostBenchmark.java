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
import org.ringside.mlx5.layout.WqeOpcode;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.SendFlags;

/**
 * What a post costs on a ring in memory, beside a floor that makes the same stores and nothing
 * else. Each has freed its ring every 128 posts, as a completion would.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PostBenchmark {
    private static final VarHandle LONG = JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final VarHandle INT = JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).varHandle();
    private static final int FREE_EVERY = 128;
    private static final int LKEY = 0x1200;
    private static final int RKEY = 0x3400;

    private final Arena arena = Arena.ofAuto();

    private final Rings rings = new Rings(arena);
    private final MemorySegment ring = arena.allocate(Rings.BLOCKS * 64L, 4096);
    private final MemorySegment record = arena.allocate(64, 64);
    private final MemorySegment registers = arena.allocate(4096, 4096);
    private final MemorySegment inlineData = arena.allocate(64, 64);
    private final long[] wrIds = new long[Rings.BLOCKS];
    private final int[] after = new int[Rings.BLOCKS];
    private int posted;
    private long doorbell = 0x800;

    private PostResult freed(PostResult result) {
        int last = posted++;
        if ((posted & FREE_EVERY - 1) == 0) {
            rings.send.complete(last & 0xffff);
        }
        return result;
    }

    /** One WRITE of one SGE with its doorbell, one call. */
    @Benchmark
    public PostResult postWrite() {
        return freed(
                rings.send.postWrite(posted, SendFlags.SIGNALED, LKEY, 0x10000, 64, RKEY, 0x20000));
    }

    /** The same by the builder's four steps. */
    @Benchmark
    public PostResult buildWrite() {
        rings.send.start();
        rings.send.begin(WqeOpcode.RDMA_WRITE, posted, SendFlags.SIGNALED, 0);
        rings.send.remote(RKEY, 0x20000);
        rings.send.sge(LKEY, 0x10000, 64);
        return freed(rings.send.submit());
    }

    /** A SEND of one SGE. */
    @Benchmark
    public PostResult postSend() {
        return freed(rings.send.postSend(posted, SendFlags.SIGNALED, LKEY, 0x10000, 64));
    }

    /** A WRITE of 8 bytes inline, by the builder. */
    @Benchmark
    public PostResult buildInline8() {
        rings.send.start();
        rings.send.begin(WqeOpcode.RDMA_WRITE, posted, SendFlags.SIGNALED, 0);
        rings.send.remote(RKEY, 0x20000);
        rings.send.inline(inlineData, 0, 8);
        return freed(rings.send.submit());
    }

    /**
     * The floor of {@link #postWrite}: the six stores of the WQE, the two tables that a completion
     * needs, doorbell record and doorbell with the same memory order, no checks.
     */
    @Benchmark
    public long floorOfPostWrite() {
        int at = posted++;
        int slot = at & Rings.BLOCKS - 1;
        long block = (long) slot << 6;
        long control = (long) ((at & 0xffff) << 8 | 8) << 32 | 0x12303;
        LONG.set(ring, block, control);
        LONG.set(ring, block + 8, 8L << 32);
        LONG.set(ring, block + 16, 0x20000L);
        LONG.set(ring, block + 24, (long) RKEY << 32);
        LONG.set(ring, block + 32, 64L << 32 | LKEY);
        LONG.set(ring, block + 40, 0x10000L);
        wrIds[slot] = at;
        after[slot] = at + 1;
        INT.setRelease(record, 4L, at + 1 & 0xffff);
        VarHandle.releaseFence();
        LONG.setOpaque(registers, doorbell, control);
        doorbell ^= 0x100;
        return control;
    }
}
