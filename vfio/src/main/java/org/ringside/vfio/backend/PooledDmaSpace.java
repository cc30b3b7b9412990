package org.ringside.vfio.backend;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/** The {@link DmaSpace} of every back end; what differs is behind {@link DmaMapper}. */
public final class PooledDmaSpace implements DmaSpace, AutoCloseable {
    private final IovaSpace space;
    private final DmaPool pool;

    /** A space without mappings. */
    public PooledDmaSpace(
            SystemCalls calls, DmaLimits limits, DmaMapper mapper, DeviceState state) {
        this.space = new IovaSpace(limits, mapper, state);
        this.pool = new DmaPool(calls, space, state);
    }

    @Override
    public List<IovaRange> usableRanges() {
        return space.limits().usable();
    }

    @Override
    public long pageSizes() {
        return space.limits().pageSizes();
    }

    @Override
    public int mappingsAvailable() {
        return space.mappingsAvailable();
    }

    @Override
    public DmaMemory allocate(long size, long alignment) throws VfioException {
        return pool.allocate(size, alignment);
    }

    @Override
    public DmaMapping map(MemorySegment memory, boolean writable) throws VfioException {
        checkNative(memory);
        return new Mapping(space, space.map(memory, writable, 1, DmaRange.NO_FD, 0));
    }

    @Override
    public DmaMapping mapAt(long iova, MemorySegment memory, boolean writable)
            throws VfioException {
        checkNative(memory);
        return new Mapping(space, space.mapAt(iova, memory, writable));
    }

    private static void checkNative(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException(
                    "the device reaches native memory only; this is on the heap, where the garbage"
                            + " collector moves it: allocate it from an Arena");
        }
        if (memory.byteSize() == 0) {
            throw new IllegalArgumentException("nothing to map: the memory has 0 bytes");
        }
    }

    /**
     * The memory behind a range of IOVA, for a back end that serves the device's reads and writes
     * itself; empty when not all of it is mapped, or not for writing. Never waits.
     */
    public Optional<MemorySegment> find(long iova, long length, boolean forWriting) {
        IovaSpace.Live mapping = space.find(iova, length);
        if (mapping == null || forWriting && !mapping.range().writable()) {
            return Optional.empty();
        }
        return Optional.of(mapping.memory().asSlice(iova - mapping.iova(), length));
    }

    /**
     * Takes all mappings from the device and gives the pool's memory back. Closing twice is
     * harmless.
     */
    @Override
    public void close() {
        space.close();
        pool.close();
    }

    private static final class Mapping implements DmaMapping {
        private final IovaSpace space;
        private final IovaSpace.Live mapping;
        private final AtomicBoolean closed = new AtomicBoolean();

        Mapping(IovaSpace space, IovaSpace.Live mapping) {
            this.space = space;
            this.mapping = mapping;
        }

        @Override
        public long iova() {
            return mapping.iova();
        }

        @Override
        public long size() {
            return mapping.memory().byteSize();
        }

        @Override
        public int alignmentLog2() {
            // 63 when they agree in all bits: no power of two above that is a long.
            long differ = mapping.range().iova() ^ mapping.range().address();
            return Math.min(Long.SIZE - 1, Long.numberOfTrailingZeros(differ));
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                space.unmap(mapping);
            }
        }

        @Override
        public String toString() {
            return "DmaMapping[" + mapping.range() + "]";
        }
    }
}
