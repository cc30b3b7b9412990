package org.ringside.verbs.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.verbs.DeviceBuffer;

/** Memory of this process, on pages of its own; given back at its close. */
final class KernelBuffer extends DeviceBuffer {
    private static final int PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    KernelBuffer(KernelContext context, long size) {
        super(context, size);
        this.memory = arena.allocate(size + PAGE - 1 & -PAGE, PAGE).asSlice(0, size);
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
        arena.close();
    }
}
