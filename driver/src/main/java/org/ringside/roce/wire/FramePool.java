package org.ringside.roce.wire;

import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;

/** A fixed number of frames, handed out and taken back by one thread. */
public final class FramePool {
    private final Frame[] free;
    private int count;

    /** Frames of {@link Frame#CAPACITY} bytes. */
    public FramePool(int frames) {
        free = Frame.allocate(frames);
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
