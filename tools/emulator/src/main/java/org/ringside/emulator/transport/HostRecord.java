package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.ringside.emulator.device.HostMemory;

/** Two big-endian words in host memory that tell the device how far software is. */
final class HostRecord {
    private final long iova;
    private final HostMemory memory;
    private final DmaWindow window;

    HostRecord(long iova, HostMemory memory) {
        this.iova = iova;
        this.memory = memory;
        this.window = new DmaWindow(memory);
    }

    /** Loads word 0 or 1 with acquire order: entries written before it are seen after. */
    int word(int index) {
        long at = iova + 4L * index;
        MemorySegment direct = window.open(at, 4, false);
        return direct != null
                ? BigEndian.getAcquire(direct, window.offset(at))
                : BigEndian.word(memory.getInt(at));
    }
}
