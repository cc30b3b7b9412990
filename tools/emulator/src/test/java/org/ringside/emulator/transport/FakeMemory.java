package org.ringside.emulator.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.HostMemory;

/** Host memory of a test: segments at IO virtual addresses, which can come and go. */
final class FakeMemory implements HostMemory {
    private record Mapping(long iova, MemorySegment segment, boolean writable) {
        boolean holds(long address, long length) {
            return address >= iova
                    && length <= segment.byteSize()
                    && address - iova <= segment.byteSize() - length;
        }
    }

    private final List<Mapping> mappings = new ArrayList<>();
    private int generation;

    /** Whether the device has the memory mapped, or reaches it by messages. */
    boolean direct = true;

    void map(long iova, MemorySegment segment, boolean writable) {
        mappings.add(new Mapping(iova, segment, writable));
        generation++;
    }

    void unmap(long iova) {
        mappings.removeIf(mapping -> mapping.iova == iova);
        generation++;
    }

    @Override
    public void read(long iova, MemorySegment into, long offset, long length) {
        Mapping mapping = find(iova, length, false);
        MemorySegment.copy(mapping.segment, iova - mapping.iova, into, offset, length);
    }

    @Override
    public void write(long iova, MemorySegment from, long offset, long length) {
        Mapping mapping = find(iova, length, true);
        MemorySegment.copy(from, offset, mapping.segment, iova - mapping.iova, length);
    }

    @Override
    public int getInt(long iova) {
        Mapping mapping = find(iova, 4, false);
        return mapping.segment.get(JAVA_INT, iova - mapping.iova);
    }

    @Override
    public void putInt(long iova, int value) {
        Mapping mapping = find(iova, 4, true);
        mapping.segment.set(JAVA_INT, iova - mapping.iova, value);
    }

    @Override
    public long getLong(long iova) {
        Mapping mapping = find(iova, 8, false);
        return mapping.segment.get(JAVA_LONG, iova - mapping.iova);
    }

    @Override
    public void putLong(long iova, long value) {
        Mapping mapping = find(iova, 8, true);
        mapping.segment.set(JAVA_LONG, iova - mapping.iova, value);
    }

    @Override
    public long compareAndSwap(long iova, long expected, long value) {
        find(iova, 8, true);
        long before = getLong(iova);
        if (before == expected) {
            putLong(iova, value);
        }
        return before;
    }

    @Override
    public long fetchAndAdd(long iova, long addend) {
        find(iova, 8, true);
        long before = getLong(iova);
        putLong(iova, before + addend);
        return before;
    }

    @Override
    public @Nullable MemorySegment direct(long iova, long length, boolean write) {
        Mapping mapping = find(iova, length, write);
        return direct ? mapping.segment.asSlice(iova - mapping.iova, length) : null;
    }

    @Override
    public boolean isMapped(long iova, long length, boolean write) {
        for (int i = 0; i < mappings.size(); i++) {
            Mapping mapping = mappings.get(i);
            if (mapping.holds(iova, length) && (mapping.writable || !write)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int generation() {
        return generation;
    }

    private Mapping find(long iova, long length, boolean write) {
        for (int i = 0; i < mappings.size(); i++) {
            Mapping mapping = mappings.get(i);
            if (mapping.holds(iova, length)) {
                if (write && !mapping.writable) {
                    throw new DmaFault(DmaFault.Reason.NOT_WRITABLE, iova, length, true);
                }
                return mapping;
            }
        }
        throw new DmaFault(DmaFault.Reason.NOT_MAPPED, iova, length, write);
    }
}
