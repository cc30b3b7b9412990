package org.ringside.ethernet.virtio;

import java.lang.foreign.MemorySegment;
import org.ringside.roce.packet.Frame;
import org.ringside.vfio.DmaMemory;
import org.ringside.vfio.DmaSpace;
import org.ringside.vfio.VfioException;

/**
 * Frames in memory that the device reaches, each with room for the virtio header before it, so that
 * nothing is copied on either way.
 *
 * <pre>
 *   stride   ...................... header | frame ........................
 *                                   52     64 (a cache line)
 * </pre>
 */
final class FrameMemory implements AutoCloseable {
    /** struct virtio_net_hdr_v1; all zero when nothing is offloaded. */
    static final int HEADER = 12;

    private static final int LINE = 64;
    private static final int STRIDE = LINE + Math.ceilDiv(Frame.CAPACITY, LINE) * LINE;
    private static final int PAGE = 4096;

    private final DmaMemory memory;
    private final Frame[] frames;
    private final long firstFrame;

    FrameMemory(DmaSpace space, int count) throws VfioException {
        memory = space.allocate((long) count * STRIDE, PAGE);
        MemorySegment all = memory.enduring();
        all.fill((byte) 0);
        frames = new Frame[count];
        for (int i = 0; i < count; i++) {
            frames[i] = new Frame(all.asSlice((long) i * STRIDE + LINE, Frame.CAPACITY));
        }
        firstFrame = frames[0].memory().address();
    }

    Frame frame(int index) {
        return frames[index];
    }

    /** Which one it is. */
    int index(Frame frame) {
        return (int) ((frame.memory().address() - firstFrame) / STRIDE);
    }

    /** Where the header of a frame is, and the frame behind it. */
    long iova(int index) {
        return memory.iova() + (long) index * STRIDE + LINE - HEADER;
    }

    @Override
    public void close() {
        memory.close();
    }
}
