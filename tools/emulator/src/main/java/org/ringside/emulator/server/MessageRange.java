package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A range that came without a descriptor: the client reads and writes it for us. */
final class MessageRange extends IndirectRange {
    private final DmaChannel channel;

    MessageRange(long first, long last, int access, DmaChannel channel) {
        super(first, last, access);
        this.channel = channel;
    }

    private MessageRange(MessageRange whole, long first, long last) {
        super(first, last, whole.access(), whole.scratch());
        this.channel = whole.channel;
    }

    @Override
    DmaRange part(long newFirst, long newLast) {
        return new MessageRange(this, newFirst, newLast);
    }

    @Override
    @Nullable Backing backing() {
        return null;
    }

    @Override
    void read(long iova, MemorySegment into, long at, long length) {
        channel.read(iova, into, at, length);
    }

    @Override
    void write(long iova, MemorySegment from, long at, long length) {
        channel.write(iova, from, at, length);
    }

    @Override
    String kind() {
        return "by messages";
    }
}
