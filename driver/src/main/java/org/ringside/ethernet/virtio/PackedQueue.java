package org.ringside.ethernet.virtio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The queue of virtio 1.1 (2.8): one ring of descriptors that both sides write. Two bits of each
 * say whose it is; what they mean turns with each round.
 *
 * <pre>
 *   descriptor          0 address, 8 length, 12 buffer, 14 flags
 *   event suppression   0 offset and wrap, 2 flags
 * </pre>
 */
final class PackedQueue extends Virtqueue {
    static final int DESCRIPTOR = 16;
    static final int LENGTH = 8;
    static final int ID = 12;
    static final int FLAGS = 14;
    static final int WRITE = 2;
    static final int AVAILABLE = 1 << 7;
    static final int USED = 1 << 15;
    static final int SUPPRESSION = 4;

    /** In the flags of an event suppression: tell me nothing. */
    static final int QUIET = 1;

    private static final ValueLayout.OfShort LE16 = JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LE32 = JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LE64 = JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORTS = LE16.varHandle();

    private final MemorySegment memory;
    private final long iova;
    private final int driver;
    private final int device;
    private final long[] addresses;
    private final boolean[] written;
    private int next;
    private boolean wrap = true;
    private int nextUsed;
    private boolean usedWrap = true;

    /**
     * @param memory of {@link #bytes}, zero, aligned to 16
     * @param iova of it
     * @param size at most 32768
     */
    PackedQueue(String name, int size, MemorySegment memory, long iova) {
        super(name, size);
        this.memory = memory;
        this.iova = iova;
        this.driver = size * DESCRIPTOR;
        this.device = driver + SUPPRESSION;
        this.addresses = new long[size];
        this.written = new boolean[size];
        memory.set(LE16, driver + 2L, (short) QUIET);
    }

    /** Memory that a queue of a size takes. */
    static long bytes(int size) {
        return (long) size * DESCRIPTOR + 2 * SUPPRESSION;
    }

    @Override
    long descriptors() {
        return iova;
    }

    @Override
    long driverArea() {
        return iova + driver;
    }

    @Override
    long deviceArea() {
        return iova + device;
    }

    @Override
    void prepare(int buffer, long address, boolean deviceWrites) {
        addresses[buffer] = address;
        written[buffer] = deviceWrites;
    }

    @Override
    void expose(int buffer, int length) {
        long at = (long) next * DESCRIPTOR;
        memory.set(LE64, at, addresses[buffer]);
        memory.set(LE32, at + LENGTH, length);
        memory.set(LE16, at + ID, (short) buffer);
        int flags = (written[buffer] ? WRITE : 0) | (wrap ? AVAILABLE : USED);
        SHORTS.setRelease(memory, at + FLAGS, (short) flags);
        if (++next == size()) {
            next = 0;
            wrap = !wrap;
        }
    }

    @Override
    boolean wantsNotification() {
        VarHandle.fullFence(); // The flags must be out before the device's wish is read.
        return (short) SHORTS.getOpaque(memory, device + 2L) != QUIET;
    }

    @Override
    int nextUsed() {
        long at = (long) nextUsed * DESCRIPTOR;
        int flags = (short) SHORTS.getAcquire(memory, at + FLAGS);
        boolean available = (flags & AVAILABLE) != 0;
        boolean used = (flags & USED) != 0;
        if (available != used || used != usedWrap) {
            return NONE;
        }
        if (++nextUsed == size()) {
            nextUsed = 0;
            usedWrap = !usedWrap;
        }
        usedLength(memory.get(LE32, at + LENGTH));
        return memory.get(LE16, at + ID) & 0xffff;
    }
}
