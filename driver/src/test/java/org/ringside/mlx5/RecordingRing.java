package org.ringside.mlx5;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** A ring that notes its stores, in order, in a log that several of them can share. */
final class RecordingRing extends RingMemory {
    private final String name;
    private final MappedRing memory;
    private final List<String> log;

    RecordingRing(String name, MemorySegment segment, List<String> log) {
        this.name = name;
        this.memory = new MappedRing(segment);
        this.log = log;
    }

    private void note(String kind, long offset) {
        log.add("%s %s 0x%x".formatted(name, kind, offset));
    }

    @Override
    public long size() {
        return memory.size();
    }

    @Override
    void putLong(long offset, long value) {
        memory.putLong(offset, value);
        note("long", offset);
    }

    @Override
    void putInt(long offset, int value) {
        memory.putInt(offset, value);
        note("int", offset);
    }

    @Override
    void putIntRelease(long offset, int value) {
        memory.putIntRelease(offset, value);
        note("release int", offset);
    }

    @Override
    long getLong(long offset) {
        return memory.getLong(offset);
    }

    @Override
    long getLongAcquire(long offset) {
        return memory.getLongAcquire(offset);
    }

    @Override
    int getInt(long offset) {
        return memory.getInt(offset);
    }

    @Override
    void copyIn(long offset, MemorySegment from, long fromOffset, long length) {
        memory.copyIn(offset, from, fromOffset, length);
        note("copy " + length, offset);
    }
}
