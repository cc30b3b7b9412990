package org.ringside.emulator.server;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A file that is mapped as a whole: thousands of mappings of its pieces would hit vm.max_map_count.
 */
final class MappedFile extends Backing {
    private final Arena arena;
    private final MemorySegment memory;

    MappedFile(Key key, Arena arena, MemorySegment memory) {
        super(key);
        this.arena = arena;
        this.memory = memory;
    }

    MemorySegment memory() {
        return memory;
    }

    @Override
    long size() {
        return memory.byteSize();
    }

    @Override
    void close() {
        arena.close();
    }
}
