package org.ringside.softroce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.verbs.DeviceBuffer;

/**
 * Memory of this process: the agent reaches all of it alike. It goes when nobody refers to it any
 * more, which is after the last access of the agent.
 */
final class SoftBuffer extends DeviceBuffer {
    private static final int PAGE = 4096;

    private MemorySegment memory;

    SoftBuffer(SoftContext context, long size) {
        super(context, size);
        this.memory = Arena.ofAuto().allocate(size, PAGE);
    }

    @Override
    public MemorySegment memory() {
        if (isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        return memory;
    }

    @Override
    protected void doClose() {
        memory = MemorySegment.NULL;
    }
}
