package org.ringside.emulator.mlx5;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.FunctionHost;
import org.ringside.emulator.device.HostMemory;

/** A host with some memory at {@link #BASE}, for a model that runs on the test's own thread. */
final class TestHost implements FunctionHost, HostMemory {
    static final long BASE = 0x10_0000;
    private static final int SIZE = 16 << 20;

    private final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 4096);
    private final List<Integer> interrupts = new ArrayList<>();
    private long next;
    private boolean busMaster = true;
    private long dmaCount;
    private int generation;

    /** Zeroed memory. */
    long allocate(long size, long alignment) {
        long at = (next + alignment - 1) & -alignment;
        next = at + size;
        if (next > SIZE) {
            throw new IllegalStateException("test memory is used up");
        }
        return BASE + at;
    }

    /** First address that is not mapped. */
    static long end() {
        return BASE + SIZE;
    }

    void busMaster(boolean on) {
        busMaster = on;
        generation++;
    }

    /** The memory at an IOVA. */
    MemorySegment at(long iova, long length) {
        return memory.asSlice(iova - BASE, length);
    }

    /** Vectors raised so far, in order. */
    List<Integer> interrupts() {
        return interrupts;
    }

    /** Accesses so far. */
    long dmaCount() {
        return dmaCount;
    }

    private MemorySegment access(long iova, long length, boolean write) {
        dmaCount++;
        if (!busMaster) {
            throw new DmaFault(DmaFault.Reason.NOT_BUS_MASTER, iova, length, write);
        }
        if (!isMapped(iova, length, write)) {
            throw new DmaFault(DmaFault.Reason.NOT_MAPPED, iova, length, write);
        }
        return at(iova, length);
    }

    @Override
    public void read(long iova, MemorySegment into, long offset, long length) {
        MemorySegment.copy(access(iova, length, false), 0, into, offset, length);
    }

    @Override
    public void write(long iova, MemorySegment from, long offset, long length) {
        MemorySegment.copy(from, offset, access(iova, length, true), 0, length);
    }

    @Override
    public int getInt(long iova) {
        return access(iova, Integer.BYTES, false).get(JAVA_INT, 0);
    }

    @Override
    public void putInt(long iova, int value) {
        access(iova, Integer.BYTES, true).set(JAVA_INT, 0, value);
    }

    @Override
    public long getLong(long iova) {
        return access(iova, Long.BYTES, false).get(JAVA_LONG, 0);
    }

    @Override
    public void putLong(long iova, long value) {
        access(iova, Long.BYTES, true).set(JAVA_LONG, 0, value);
    }

    @Override
    public long compareAndSwap(long iova, long expected, long value) {
        long old = getLong(iova);
        if (old == expected) {
            putLong(iova, value);
        }
        return old;
    }

    @Override
    public long fetchAndAdd(long iova, long addend) {
        long old = getLong(iova);
        putLong(iova, old + addend);
        return old;
    }

    @Override
    public @Nullable MemorySegment direct(long iova, long length, boolean write) {
        return access(iova, length, write);
    }

    @Override
    public boolean isMapped(long iova, long length, boolean write) {
        return iova >= BASE && length >= 0 && iova - BASE <= SIZE - length;
    }

    @Override
    public int generation() {
        return generation;
    }

    @Override
    public HostMemory dma() {
        return this;
    }

    @Override
    public void raise(int vector) {
        interrupts.add(vector);
    }

    @Override
    public long droppedInterrupts() {
        return 0;
    }

    @Override
    public DeviceAgent agent() {
        throw new UnsupportedOperationException("the test's thread is the agent");
    }
}
