package org.ringside.ethernet.virtio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The queue of virtio 1.0 (2.7): a table of descriptors, and two rings of their numbers. Buffer n
 * is always descriptor n, so only lengths change.
 *
 * <pre>
 *   descriptor   0 address, 8 length, 12 flags, 14 next
 *   available    0 flags, 2 index, 4 numbers of 16 bits
 *   used         0 flags, 2 index, 4 (number, length) of 32 bits each
 * </pre>
 */
final class SplitQueue extends Virtqueue {
    static final int DESCRIPTOR = 16;
    static final int LENGTH = 8;
    static final int FLAGS = 12;
    static final int WRITE = 2;
    static final int INDEX = 2;
    static final int RING = 4;
    static final int USED_ENTRY = 8;

    /**
     * In the flags of the available ring: no interrupt, please; of the used ring: no notification.
     */
    static final int QUIET = 1;

    private static final ValueLayout.OfShort LE16 = JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt LE32 = JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LE64 = JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORTS = LE16.varHandle();
    private static final int MASK = 0xffff;

    private final MemorySegment memory;
    private final long iova;
    private final int available;
    private final int used;
    private int offered;
    private int taken;

    /**
     * @param memory of {@link #bytes}, zero, aligned to 16
     * @param iova of it
     * @param size power of two, at most 32768
     */
    SplitQueue(String name, int size, MemorySegment memory, long iova) {
        super(name, size);
        this.memory = memory;
        this.iova = iova;
        this.available = size * DESCRIPTOR;
        this.used = usedAt(size);
        memory.set(LE16, available, (short) QUIET);
    }

    private static int usedAt(int size) {
        int end = size * DESCRIPTOR + RING + 2 * size + 2;
        return end + 3 & ~3;
    }

    /** Memory that a queue of a size takes. */
    static long bytes(int size) {
        return usedAt(size) + RING + (long) size * USED_ENTRY + 2;
    }

    @Override
    long descriptors() {
        return iova;
    }

    @Override
    long driverArea() {
        return iova + available;
    }

    @Override
    long deviceArea() {
        return iova + used;
    }

    @Override
    void prepare(int buffer, long address, boolean deviceWrites) {
        long at = (long) buffer * DESCRIPTOR;
        memory.set(LE64, at, address);
        memory.set(LE16, at + FLAGS, (short) (deviceWrites ? WRITE : 0));
    }

    @Override
    void expose(int buffer, int length) {
        memory.set(LE32, (long) buffer * DESCRIPTOR + LENGTH, length);
        long slot = available + RING + 2L * (offered & size() - 1);
        memory.set(LE16, slot, (short) buffer);
        offered = offered + 1 & MASK;
        SHORTS.setRelease(memory, (long) available + INDEX, (short) offered);
    }

    @Override
    boolean wantsNotification() {
        VarHandle.fullFence(); // The index must be out before the device's wish is read.
        return ((short) SHORTS.getOpaque(memory, (long) used) & QUIET) == 0;
    }

    @Override
    int nextUsed() {
        int index = (short) SHORTS.getAcquire(memory, (long) used + INDEX) & MASK;
        int ready = index - taken & MASK;
        if (ready == 0) {
            return NONE;
        }
        if (ready > outstanding()) {
            throw fault("%d buffers come back, the device has %d", ready, outstanding());
        }
        long entry = used + RING + (long) USED_ENTRY * (taken & size() - 1);
        taken = taken + 1 & MASK;
        usedLength(memory.get(LE32, entry + 4));
        int buffer = memory.get(LE32, entry);
        return buffer < 0 ? Integer.MAX_VALUE : buffer; // Not NONE, whatever it says.
    }
}
