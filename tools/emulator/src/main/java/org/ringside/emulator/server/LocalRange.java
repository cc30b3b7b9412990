package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A range of memory of this very JVM, whose application is client and server at a time. What lies
 * in the application's segment is reached directly; what only shares its pages, or whose arena the
 * application has closed in spite of the mapping, by file I/O, where the kernel tells.
 */
final class LocalRange extends DmaRange {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final FileRange file;
    private final MemorySegment local;
    private final long delta;

    /** IOVA of the segment's first byte. */
    private final long base;

    private final long size;

    /**
     * A range.
     *
     * @param delta IOVA less address
     */
    LocalRange(FileRange file, MemorySegment local, long delta) {
        super(file.first(), file.last(), file.access());
        this.file = file;
        this.local = local;
        this.delta = delta;
        this.base = local.address() + delta;
        this.size = local.byteSize();
    }

    @Override
    DmaRange part(long newFirst, long newLast) {
        return new LocalRange((FileRange) file.part(newFirst, newLast), local, delta);
    }

    @Override
    @Nullable Backing backing() {
        return file.backing();
    }

    private boolean isLocal(long iova, long length) {
        long at = iova - base;
        return at >= 0 && at <= size && length <= size - at && local.scope().isAlive();
    }

    @Override
    void read(long iova, MemorySegment into, long at, long length) {
        if (isLocal(iova, length)) {
            try {
                MemorySegment.copy(local, iova - base, into, at, length);
                return;
            } catch (IllegalStateException e) {
                // Closed at this moment; the kernel tells what is there now.
            }
        }
        file.read(iova, into, at, length);
    }

    @Override
    void write(long iova, MemorySegment from, long at, long length) {
        if (isLocal(iova, length)) {
            try {
                MemorySegment.copy(from, at, local, iova - base, length);
                return;
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        file.write(iova, from, at, length);
    }

    @Override
    int getInt(long iova) {
        if (isLocal(iova, Integer.BYTES)) {
            try {
                return (int) INT.getAcquire(local, iova - base);
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        return file.getInt(iova);
    }

    @Override
    void putInt(long iova, int value) {
        if (isLocal(iova, Integer.BYTES)) {
            try {
                INT.setRelease(local, iova - base, value);
                return;
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        file.putInt(iova, value);
    }

    @Override
    long getLong(long iova) {
        if (isLocal(iova, Long.BYTES)) {
            try {
                return (long) LONG.getAcquire(local, iova - base);
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        return file.getLong(iova);
    }

    @Override
    void putLong(long iova, long value) {
        if (isLocal(iova, Long.BYTES)) {
            try {
                LONG.setRelease(local, iova - base, value);
                return;
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        file.putLong(iova, value);
    }

    @Override
    long compareAndSwap(long iova, long expected, long value) {
        if (isLocal(iova, Long.BYTES)) {
            try {
                return (long) LONG.compareAndExchange(local, iova - base, expected, value);
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        return file.compareAndSwap(iova, expected, value);
    }

    @Override
    long fetchAndAdd(long iova, long addend) {
        if (isLocal(iova, Long.BYTES)) {
            try {
                return (long) LONG.getAndAdd(local, iova - base, addend);
            } catch (IllegalStateException e) {
                // As above.
            }
        }
        return file.fetchAndAdd(iova, addend);
    }

    @Override
    @Nullable MemorySegment direct(long iova, long length) {
        return isLocal(iova, length) ? local.asSlice(iova - base, length) : null;
    }

    @Override
    String kind() {
        return "in this process, " + file.kind();
    }
}
