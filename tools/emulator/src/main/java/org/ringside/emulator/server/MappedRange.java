package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.DmaFault.Reason;

/**
 * A range of a file that is mapped here. An InternalError is a page fault that the kernel could not
 * serve: the client has made the file shorter.
 */
final class MappedRange extends DmaRange {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MappedFile file;
    private final MemorySegment memory;

    /** An IOVA plus this is the offset in the file. */
    private final long delta;

    MappedRange(long first, long last, int access, MappedFile file, long fileOffset) {
        super(first, last, access);
        this.file = file;
        this.memory = file.memory();
        this.delta = fileOffset - first;
    }

    @Override
    DmaRange part(long newFirst, long newLast) {
        MappedFile shared = (MappedFile) file.retain();
        return new MappedRange(newFirst, newLast, access(), shared, newFirst + delta);
    }

    @Override
    Backing backing() {
        return file;
    }

    @Override
    void read(long iova, MemorySegment into, long at, long length) {
        try {
            MemorySegment.copy(memory, iova + delta, into, at, length);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, length, false);
        }
    }

    @Override
    void write(long iova, MemorySegment from, long at, long length) {
        try {
            MemorySegment.copy(from, at, memory, iova + delta, length);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, length, true);
        }
    }

    @Override
    int getInt(long iova) {
        try {
            return (int) INT.getAcquire(memory, iova + delta);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, Integer.BYTES, false);
        }
    }

    @Override
    void putInt(long iova, int value) {
        try {
            INT.setRelease(memory, iova + delta, value);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, Integer.BYTES, true);
        }
    }

    @Override
    long getLong(long iova) {
        try {
            return (long) LONG.getAcquire(memory, iova + delta);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, Long.BYTES, false);
        }
    }

    @Override
    void putLong(long iova, long value) {
        try {
            LONG.setRelease(memory, iova + delta, value);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, Long.BYTES, true);
        }
    }

    @Override
    long compareAndSwap(long iova, long expected, long value) {
        try {
            return (long) LONG.compareAndExchange(memory, iova + delta, expected, value);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, Long.BYTES, true);
        }
    }

    @Override
    long fetchAndAdd(long iova, long addend) {
        try {
            return (long) LONG.getAndAdd(memory, iova + delta, addend);
        } catch (InternalError e) {
            throw new DmaFault(Reason.FAILED, iova, Long.BYTES, true);
        }
    }

    @Override
    MemorySegment direct(long iova, long length) {
        return memory.asSlice(iova + delta, length);
    }

    @Override
    String kind() {
        return "mapped, file offset 0x%x".formatted(first() + delta);
    }
}
