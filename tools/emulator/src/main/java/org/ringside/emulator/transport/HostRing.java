package org.ringside.emulator.transport;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.HostMemory;

/**
 * Entries of a work or completion queue in host memory. An entry is at most 64 aligned bytes at a
 * time, so none crosses a page.
 */
final class HostRing {
    private final PageList pages;
    private final HostMemory memory;
    private final DmaWindow window;
    private final boolean writes;

    /**
     * @param writes whether the device writes entries, or only reads them
     */
    HostRing(PageList pages, HostMemory memory, boolean writes) {
        this.pages = pages;
        this.memory = memory;
        this.window = new DmaWindow(memory);
        this.writes = writes;
    }

    /** Reads bytes of one entry. */
    void read(long offset, MemorySegment into, long at, int length) {
        long iova = pages.iova(offset);
        MemorySegment direct = window.open(iova, length, writes);
        if (direct != null) {
            MemorySegment.copy(direct, window.offset(iova), into, at, length);
        } else {
            memory.read(iova, into, at, length);
        }
    }

    /** Writes bytes of one entry, without order. */
    void write(long offset, MemorySegment from, long at, int length) {
        long iova = pages.iova(offset);
        MemorySegment direct = window.open(iova, length, true);
        if (direct != null) {
            MemorySegment.copy(from, at, direct, window.offset(iova), length);
        } else {
            memory.write(iova, from, at, length);
        }
    }

    /** Loads a big-endian word with acquire order. */
    int getWord(long offset) {
        long iova = pages.iova(offset);
        MemorySegment direct = window.open(iova, 4, writes);
        return direct != null
                ? BigEndian.getAcquire(direct, window.offset(iova))
                : BigEndian.word(memory.getInt(iova));
    }

    /** Stores a big-endian word with release order: everything written before is seen before. */
    void putWord(long offset, int value) {
        long iova = pages.iova(offset);
        MemorySegment direct = window.open(iova, 4, true);
        if (direct != null) {
            BigEndian.setRelease(direct, window.offset(iova), value);
        } else {
            memory.putInt(iova, BigEndian.word(value));
        }
    }

    @Nullable MemorySegment direct(long offset, int length) {
        return window.open(pages.iova(offset), length, writes);
    }
}
