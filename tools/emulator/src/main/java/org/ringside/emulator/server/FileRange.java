package org.ringside.emulator.server;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.linux.LinuxException;

/**
 * A range of a file that is reached by pread and pwrite: memory of a process through /proc/PID/mem.
 */
final class FileRange extends IndirectRange {
    private final OpenFile file;
    private final long delta;

    FileRange(long first, long last, int access, OpenFile file, long fileOffset) {
        super(first, last, access);
        this.file = file;
        this.delta = fileOffset - first;
    }

    private FileRange(FileRange whole, long first, long last) {
        super(first, last, whole.access(), whole.scratch());
        this.file = (OpenFile) whole.file.retain();
        this.delta = whole.delta;
    }

    @Override
    DmaRange part(long newFirst, long newLast) {
        return new FileRange(this, newFirst, newLast);
    }

    @Override
    Backing backing() {
        return file;
    }

    @Override
    void read(long iova, MemorySegment into, long at, long length) {
        if (!into.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment copy = arena.allocate(length);
                read(iova, copy, 0, length);
                MemorySegment.copy(copy, 0, into, at, length);
            }
            return;
        }
        long done = 0;
        while (done < length) {
            long n;
            try {
                MemorySegment rest = into.asSlice(at + done, length - done);
                n = file.calls().pread(file.fd(), rest, iova + delta + done);
            } catch (LinuxException e) {
                n = 0;
            }
            if (n <= 0) {
                throw new DmaFault(Reason.FAILED, iova + done, length - done, false);
            }
            done += n;
        }
    }

    @Override
    void write(long iova, MemorySegment from, long at, long length) {
        if (!from.isNative()) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment copy = arena.allocate(length);
                MemorySegment.copy(from, at, copy, 0, length);
                write(iova, copy, 0, length);
            }
            return;
        }
        long done = 0;
        while (done < length) {
            long n;
            try {
                MemorySegment rest = from.asSlice(at + done, length - done);
                n = file.calls().pwrite(file.fd(), rest, iova + delta + done);
            } catch (LinuxException e) {
                n = 0;
            }
            if (n <= 0) {
                throw new DmaFault(Reason.FAILED, iova + done, length - done, true);
            }
            done += n;
        }
    }

    @Override
    String kind() {
        return "by file I/O, offset 0x%x".formatted(first() + delta);
    }
}
