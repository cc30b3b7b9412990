package org.ringside.emulator.transport;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.ringside.mlx5.layout.EventType;

/** A function of a test: memory, engine, and what the engine told. */
final class Node implements EngineEvents {
    private static final long FIRST_IOVA = 0x10_0000;
    private static final int ALL =
            MkeyState.LOCAL_READ
                    | MkeyState.LOCAL_WRITE
                    | MkeyState.REMOTE_READ
                    | MkeyState.REMOTE_WRITE
                    | MkeyState.ATOMIC;

    static final int PD = 0x15;

    final Arena arena;
    final FakeMemory memory = new FakeMemory();
    final List<String> events = new ArrayList<>();
    final List<String> findings = new ArrayList<>();
    final Engine engine;
    private long nextIova = FIRST_IOVA;
    private int nextNumber = 0x40;

    Node(Arena arena, Wire wire, LongSupplier clock) {
        this.arena = arena;
        this.engine = new Engine(memory, this, findings::add, wire, clock);
    }

    /** Memory with an address that the device may use. */
    record Buffer(MemorySegment segment, long iova, MkeyState mkey) {
        int key() {
            return mkey.key();
        }
    }

    int number() {
        return nextNumber++;
    }

    /** Maps new memory; buffers are apart from each other. */
    long map(MemorySegment segment, boolean writable) {
        long iova = nextIova;
        memory.map(iova, segment, writable);
        nextIova += segment.byteSize() + 0x1_0000 & -0x1000L;
        return iova;
    }

    Buffer buffer(long bytes) {
        return buffer(bytes, ALL);
    }

    Buffer buffer(long bytes, int access) {
        return buffer(bytes, access, PD);
    }

    /** A buffer whose virtual address is its IO virtual address. */
    Buffer buffer(long bytes, int access, int pd) {
        MemorySegment segment = arena.allocate(bytes + 0xfff & -0x1000L, 0x1000);
        long iova = map(segment, true);
        MkeyState mkey =
                MkeyState.paged(
                        number() << 8 | 0x5a,
                        pd,
                        access,
                        MkeyState.ANY_QP,
                        iova,
                        pages(iova, bytes));
        engine.add(mkey);
        return new Buffer(segment, iova, mkey);
    }

    static PageList pages(long iova, long bytes) {
        long[] pages = new long[(int) ((bytes + 0xfff) >>> 12)];
        for (int i = 0; i < pages.length; i++) {
            pages[i] = iova + ((long) i << 12);
        }
        return new PageList(pages, 12, 0, bytes);
    }

    TestCq cq(int logSize) {
        return new TestCq(this, logSize, 64, false);
    }

    @Override
    public void completion(CqState cq) {
        events.add("completion on " + cq);
    }

    @Override
    public void cqError(CqState cq, int syndrome) {
        events.add("error " + syndrome + " of " + cq);
    }

    @Override
    public void srqLimit(SrqState srq) {
        events.add("limit of " + srq);
    }

    @Override
    public boolean keyMoved(int index, int pd) {
        events.add("key 0x%x to PD 0x%x".formatted(index, pd));
        return pd <= PD + 1;
    }

    @Override
    public void qpEvent(QpState qp, int type) {
        events.add(EventType.name(type) + " of " + qp);
    }
}
