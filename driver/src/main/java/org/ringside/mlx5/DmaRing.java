package org.ringside.mlx5;

import org.ringside.mlx5.layout.ArrayField;
import org.ringside.mlx5.layout.DoorbellRecord;
import org.ringside.verbs.VerbsException;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * Memory of one CQ or QP: its ring, described to the device by 4 KiB pages, and its doorbell
 * record, which has a cache line of its own.
 */
final class DmaRing implements AutoCloseable {
    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;

    private final DmaMemory memory;
    private final DmaMemory recordMemory;
    private final RingMemory ring;
    private final RingMemory record;

    private DmaRing(DmaMemory memory, DmaMemory recordMemory) {
        this.memory = memory;
        this.recordMemory = recordMemory;
        this.ring = RingMemory.of(memory.enduring());
        this.record = RingMemory.of(recordMemory.enduring());
    }

    /** All zero. */
    static DmaRing allocate(Mlx5Device device, long bytes) throws VerbsException {
        DmaSpace dma = device.vfio.dma();
        DmaMemory ring = null;
        try {
            ring = dma.allocate(Math.max(PAGE, bytes + PAGE - 1 & -PAGE), PAGE);
            return new DmaRing(ring, dma.allocate(CACHE_LINE, CACHE_LINE));
        } catch (VfioException e) {
            if (ring != null) {
                ring.close();
            }
            throw Failures.of(device.name, "allocating a ring of " + bytes + " bytes", e);
        }
    }

    RingMemory ring() {
        return ring;
    }

    /** {@link DoorbellRecord}. */
    RingMemory record() {
        return record;
    }

    long recordIova() {
        return recordMemory.iova();
    }

    int pages() {
        return (int) (memory.size() / PAGE);
    }

    /** Enters the addresses of all pages in a command's list. */
    void listPages(Command command, ArrayField list) {
        for (int i = 0; i < pages(); i++) {
            command.set(list, i, memory.iova() + (long) i * PAGE);
        }
    }

    /** Gives it back. The device must not use it any more. */
    @Override
    public void close() {
        memory.close();
        recordMemory.close();
    }
}
