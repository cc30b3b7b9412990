package org.ringside.roce.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Memory for one Ethernet frame, without its FCS, and how much of it is used. Headers are reached
 * through {@link #bytes()} (big endian, absolute), payload through {@link #memory()}.
 *
 * <p>Not thread safe. Who holds a frame owns it; its bytes have no position or limit of meaning.
 */
public final class Frame {
    /** Room for the largest RoCE frame: VLAN, IPv6, all headers, 4096 bytes, pad and ICRC. */
    public static final int CAPACITY = 4352;

    private static final int CACHE_LINE = 64;

    private final MemorySegment memory;
    private final ByteBuffer bytes;
    private int length;

    /**
     * @param memory the frame's own, native, at most 2 GiB
     */
    public Frame(MemorySegment memory) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("frames live in native memory, not in " + memory);
        }
        this.memory = memory;
        this.bytes = memory.asByteBuffer();
    }

    /** Frames of {@link #CAPACITY} bytes in memory of their own, each on cache lines of its own. */
    public static Frame[] allocate(int count) {
        Frame[] frames = new Frame[count];
        MemorySegment all = Arena.ofAuto().allocate((long) count * CAPACITY, CACHE_LINE);
        for (int i = 0; i < count; i++) {
            frames[i] = new Frame(all.asSlice((long) i * CAPACITY, CAPACITY, CACHE_LINE));
        }
        return frames;
    }

    /** The whole memory, used or not. */
    public MemorySegment memory() {
        return memory;
    }

    /** The same memory, big endian. */
    public ByteBuffer bytes() {
        return bytes;
    }

    public int capacity() {
        return bytes.capacity();
    }

    /** Bytes of the frame, from its destination MAC on. */
    public int length() {
        return length;
    }

    /** Says how many bytes are used. */
    public void length(int bytesUsed) {
        if (bytesUsed < 0 || bytesUsed > bytes.capacity()) {
            throw new IllegalArgumentException(
                    "a frame of " + bytesUsed + " bytes in memory of " + bytes.capacity());
        }
        length = bytesUsed;
    }

    /** Becomes a copy of another frame. */
    public void copyOf(Frame other) {
        length(other.length);
        MemorySegment.copy(other.memory, 0, memory, 0, other.length);
    }

    /** Becomes a copy of these bytes; for tests and captures. */
    public void copyOf(byte[] content) {
        length(content.length);
        bytes.put(0, content);
    }

    /** A copy of the used bytes; for tests and captures. */
    public byte[] toByteArray() {
        byte[] copy = new byte[length];
        bytes.get(0, copy);
        return copy;
    }

    /** What the frame says, if it is RoCEv2; else its bytes. */
    @Override
    public String toString() {
        Packet packet = new Packet();
        if (packet.parse(this) == Verdict.ROCE) {
            return packet.toString();
        }
        return "frame of " + length + " B " + HexFormat.of().formatHex(toByteArray());
    }
}
