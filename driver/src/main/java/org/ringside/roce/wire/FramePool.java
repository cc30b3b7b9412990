package org.ringside.roce.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;

/** A fixed number of frames, handed out and taken back by one thread. */
public final class FramePool {
    private static final int ALIGNMENT = 64;

    private final Frame[] free;
    private int count;

    /** Frames of {@link Frame#CAPACITY} bytes. */
    public FramePool(int frames) {
        free = new Frame[frames];
        MemorySegment memory = Arena.ofAuto().allocate((long) frames * Frame.CAPACITY, ALIGNMENT);
        for (int i = 0; i < frames; i++) {
            long at = (long) i * Frame.CAPACITY;
            free[i] = new Frame(memory.asSlice(at, Frame.CAPACITY, ALIGNMENT));
        }
        count = frames;
    }

    /** A frame of any content; null when all are out. */
    public @Nullable Frame take() {
        return count == 0 ? null : free[--count];
    }

    /** Takes a frame back. */
    public void give(Frame frame) {
        free[count++] = frame;
    }

    /** Frames that are in. */
    public int available() {
        return count;
    }
}
