package org.ringside.emulator.mlx5;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.BarSpec;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.Region;

/**
 * BAR0 as a file that clients map: doorbells stored there are plain memory, which the device polls.
 * Taking a doorbell zeroes it, so that the same value is seen again; no valid doorbell is zero, as
 * no object has number 0.
 *
 * <p>Lives as long as the device, through resets.
 */
final class UarMemory implements AutoCloseable {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_SHARED = 1;

    private final Arena arena = Arena.ofShared();
    private final int fd;
    private final MemorySegment bar;
    private boolean closed;

    /** Makes the file; the first UAR page and what is before it are not offered to clients. */
    UarMemory(String name) throws LinuxException {
        SystemCalls calls = SystemCalls.host();
        fd = calls.memfdCreate("ringside-" + name + "-bar0", 0);
        try {
            calls.ftruncate(fd, UarSpace.BAR_SIZE);
            bar = calls.mmap(arena, UarSpace.BAR_SIZE, PROT_READ_WRITE, MAP_SHARED, fd, 0);
        } catch (LinuxException | RuntimeException e) {
            arena.close();
            calls.close(fd);
            throw e;
        }
    }

    /** What the server offers to clients. */
    static BarSpec.@Nullable SharedPages shared(@Nullable UarMemory memory) {
        if (memory == null) {
            return null;
        }
        long first = (long) (UarSpace.FIRST + 1) * UarSpace.PAGE;
        return new BarSpec.SharedPages(
                memory.fd, List.of(new Region.Area(first, UarSpace.BAR_SIZE - first)));
    }

    /** Takes 8 bytes, as the CPU that stored them has them; 0 when there are none. */
    long takeLong(long offset) {
        return (long) LONG.getAcquire(bar, offset) == 0
                ? 0
                : (long) LONG.getAndSet(bar, offset, 0L);
    }

    /** Takes 4 bytes. */
    int takeInt(long offset) {
        return (int) INT.getAcquire(bar, offset) == 0 ? 0 : (int) INT.getAndSet(bar, offset, 0);
    }

    /** Zeroes a page: what an earlier owner left there is nobody's doorbell. */
    void clear(int page) {
        bar.asSlice((long) page * UarSpace.PAGE, UarSpace.PAGE).fill((byte) 0);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            arena.close();
            try {
                SystemCalls.host().close(fd);
            } catch (LinuxException e) {
                throw new IllegalStateException("BAR0's file descriptor " + fd, e);
            }
        }
    }
}
