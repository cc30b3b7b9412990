package org.ringside.mlx5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.TreeMap;
import org.ringside.vfio.DmaMapping;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/** DMA memory without a device: IOVAs of its own, so that a mix-up with addresses shows. */
final class TestDma implements DmaSpace {
    private final TreeMap<Long, MemorySegment> mapped = new TreeMap<>();
    private long nextIova = 0x10_0000_0000L;
    private int failAfter = Integer.MAX_VALUE;

    /** So many allocations work, the next ones fail. */
    synchronized void failAfter(int allocations) {
        failAfter = allocations;
    }

    /** Bytes that are allocated now. */
    synchronized long allocated() {
        return mapped.values().stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /** What the device sees at an IOVA. */
    synchronized MemorySegment at(long iova, long size) {
        var entry = mapped.floorEntry(iova);
        if (entry == null || iova - entry.getKey() + size > entry.getValue().byteSize()) {
            throw new AssertionError("DMA to 0x%x + 0x%x, nothing is there".formatted(iova, size));
        }
        return entry.getValue().asSlice(iova - entry.getKey(), size);
    }

    @Override
    public synchronized DmaMemory allocate(long size, long alignment) throws VfioException {
        if (failAfter-- <= 0) {
            throw new VfioException(12, "no memory, as the test wants it");
        }
        MemorySegment segment = Arena.ofAuto().allocate(size, Math.min(alignment, 4096));
        long iova = nextIova + alignment - 1 & -alignment;
        nextIova = iova + size + 4096;
        mapped.put(iova, segment);
        return new DmaMemory() {
            @Override
            public MemorySegment segment() {
                return segment;
            }

            @Override
            public MemorySegment enduring() {
                return segment;
            }

            @Override
            public long iova() {
                return iova;
            }

            @Override
            public void close() {
                synchronized (TestDma.this) {
                    mapped.remove(iova);
                }
            }
        };
    }

    @Override
    public List<IovaRange> usableRanges() {
        return List.of(new IovaRange(4096, (1L << 48) - 1));
    }

    @Override
    public long pageSizes() {
        return 4096;
    }

    @Override
    public int mappingsAvailable() {
        return Integer.MAX_VALUE;
    }

    @Override
    public DmaMapping map(MemorySegment memory, boolean writable) throws VfioException {
        throw new VfioException(95, "not in this test");
    }

    @Override
    public DmaMapping mapAt(long iova, MemorySegment memory, boolean writable)
            throws VfioException {
        throw new VfioException(95, "not in this test");
    }
}
