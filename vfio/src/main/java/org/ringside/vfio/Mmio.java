package org.ringside.vfio;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Registers of a device. Each access is a single one of the given width at a naturally aligned
 * offset; it is neither torn, merged, repeated nor left out. Values are in the CPU's byte order, as
 * PCI has them (little endian on the bus); a device with big-endian registers swaps at its own
 * door.
 *
 * <p>Writes of one thread reach the device in program order. Accesses order nothing else: put a
 * barrier between memory that the device will read and the write that tells it to.
 *
 * <p>Offsets beyond the region throw {@link IndexOutOfBoundsException}, misaligned ones {@link
 * IllegalArgumentException}. After {@link VfioDevice#close()} accesses throw {@link
 * IllegalStateException}. Reads from a device that has gone return all ones and writes to it
 * vanish, as on the bus; {@link VfioDevice#isLost()} tells. One exception: a write to a mapped page
 * that has been taken away can raise {@link InternalError} in the writing thread a little later,
 * because the JVM delivers it at its next safepoint. The next read then notes the loss.
 *
 * <p>An abstract class so that one virtual call, which the JIT can inline, leads to the access, and
 * so that tests can record it.
 */
public abstract class Mmio {
    /** For the kinds of access. */
    protected Mmio() {}

    /** Bytes. */
    public abstract long size();

    public abstract byte getByte(long offset);

    public abstract short getShort(long offset);

    public abstract int getInt(long offset);

    public abstract long getLong(long offset);

    public abstract void putByte(long offset, byte value);

    public abstract void putShort(long offset, short value);

    public abstract void putInt(long offset, int value);

    public abstract void putLong(long offset, long value);

    /**
     * A part of this region with offsets of its own, by the fastest means that serves the whole of
     * it: when all of the part is mapped its accesses are plain machine stores.
     */
    public abstract Mmio slice(long offset, long size);

    /** The memory behind it when all of it is mapped; empty when some of it goes by calls. */
    public abstract Optional<MemorySegment> mapped();
}
