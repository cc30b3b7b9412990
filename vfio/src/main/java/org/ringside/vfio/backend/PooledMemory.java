package org.ringside.vfio.backend;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.ringside.vfio.DmaMemory;

/** A piece of a {@link DmaPool}. */
final class PooledMemory implements DmaMemory {
    private final MemorySegment memory;
    private final Supplier<MemorySegment> enduring;
    private final long iova;
    private final DeviceState state;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    PooledMemory(
            MemorySegment memory,
            Supplier<MemorySegment> enduring,
            long iova,
            DeviceState state,
            Runnable release) {
        this.memory = memory;
        this.enduring = enduring;
        this.iova = iova;
        this.state = state;
        this.release = release;
    }

    @Override
    public MemorySegment segment() {
        checkOpen();
        return memory;
    }

    @Override
    public MemorySegment enduring() {
        checkOpen();
        return enduring.get();
    }

    private void checkOpen() {
        state.checkOpen();
        if (closed.get()) {
            throw new IllegalStateException(this + " was given back");
        }
    }

    @Override
    public long iova() {
        return iova;
    }

    @Override
    public long size() {
        return memory.byteSize();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }

    @Override
    public String toString() {
        return "DmaMemory[iova=0x%x, size=%d]".formatted(iova, memory.byteSize());
    }
}
