package org.ringside.vfio.backend;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.VfioException;

/**
 * A region that is part of a file, such as the kernel's device descriptor: an access is one pread
 * or pwrite.
 */
public final class FileAccess implements RegionAccess {
    private static final ThreadLocal<MemorySegment> BUFFER =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Long.BYTES, Long.BYTES));

    private final SystemCalls calls;
    private final int fd;
    private final long base;
    private final DeviceState state;

    /** The region that starts at {@code base} in the file; the descriptor stays the caller's. */
    public FileAccess(SystemCalls calls, int fd, long base, DeviceState state) {
        this.calls = calls;
        this.fd = fd;
        this.base = base;
        this.state = state;
    }

    @Override
    public long read(long offset, int width) throws VfioException {
        MemorySegment buffer = BUFFER.get();
        long done;
        try {
            done = calls.pread(fd, buffer.asSlice(0, width), base + offset);
        } catch (LinuxException e) {
            throw failure("read", offset, width, e);
        }
        if (done != width) {
            throw shortAccess("read", offset, width, done);
        }
        return switch (width) {
            case Byte.BYTES -> Byte.toUnsignedLong(buffer.get(JAVA_BYTE, 0));
            case Short.BYTES -> Short.toUnsignedLong(buffer.get(JAVA_SHORT, 0));
            case Integer.BYTES -> Integer.toUnsignedLong(buffer.get(JAVA_INT, 0));
            default -> buffer.get(JAVA_LONG, 0);
        };
    }

    @Override
    public void write(long offset, int width, long value) throws VfioException {
        MemorySegment buffer = BUFFER.get();
        switch (width) {
            case Byte.BYTES -> buffer.set(JAVA_BYTE, 0, (byte) value);
            case Short.BYTES -> buffer.set(JAVA_SHORT, 0, (short) value);
            case Integer.BYTES -> buffer.set(JAVA_INT, 0, (int) value);
            default -> buffer.set(JAVA_LONG, 0, value);
        }
        long done;
        try {
            done = calls.pwrite(fd, buffer.asSlice(0, width), base + offset);
        } catch (LinuxException e) {
            throw failure("write", offset, width, e);
        }
        if (done != width) {
            throw shortAccess("write", offset, width, done);
        }
    }

    private VfioException failure(String verb, long offset, int width, LinuxException e) {
        if (e.errno() == Errno.ENODEV) {
            state.markLost(e.call() + ": " + Errno.describe(e.errno()));
        }
        String advice =
                e.errno() == Errno.EIO
                        ? ". A function that does not decode memory answers so: enable memory in its command register"
                        : "";
        return new VfioException(
                e.errno(),
                "%s: %s of %d bytes at offset 0x%x: %s%s"
                        .formatted(state.name(), verb, width, offset, e.getMessage(), advice),
                e);
    }

    private VfioException shortAccess(String verb, long offset, int width, long done) {
        return new VfioException(
                0,
                "%s: %s of %d bytes at offset 0x%x: only %d bytes were done"
                        .formatted(state.name(), verb, width, offset, done));
    }
}
