package org.ringside.ethernet;

import java.lang.foreign.MemorySegment;
import org.ringside.roce.packet.Frame;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * Frames in memory that a NIC reaches, so that nothing is copied on either way. Each begins on a
 * cache line, and the line before it is zero at first: a header that the NIC wants in front of the
 * frame ends there.
 *
 * <pre>
 *   stride   ............... header | frame ........................
 *            0                      64 (a cache line)
 * </pre>
 */
public final class DmaFrames implements AutoCloseable {
    private static final int LINE = 64;
    private static final int PAGE = 4096;

    private final DmaMemory memory;
    private final Frame[] frames;
    private final long firstFrame;
    private final int stride;

    /**
     * Allocates them.
     *
     * @param count how many
     * @param capacity bytes of each; with 1984 none goes across a page
     */
    public DmaFrames(DmaSpace space, int count, int capacity) throws VfioException {
        stride = LINE + Math.ceilDiv(capacity, LINE) * LINE;
        memory = space.allocate((long) count * stride, PAGE);
        MemorySegment all = memory.enduring();
        all.fill((byte) 0);
        frames = new Frame[count];
        for (int i = 0; i < count; i++) {
            frames[i] = new Frame(all.asSlice((long) i * stride + LINE, capacity));
        }
        firstFrame = frames[0].memory().address();
    }

    /** One of them, by number from 0. */
    public Frame frame(int index) {
        return frames[index];
    }

    /** Which one it is. */
    public int index(Frame frame) {
        return (int) ((frame.memory().address() - firstFrame) / stride);
    }

    /** IO virtual address of its first byte. */
    public long iova(int index) {
        return memory.iova() + (long) index * stride + LINE;
    }

    @Override
    public void close() {
        memory.close();
    }
}
