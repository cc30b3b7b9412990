package org.ringside.vfio.group;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.ringside.linux.Errno;
import org.ringside.linux.Ioctl;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.backend.VfioAbi;

/**
 * Ioctls that fill in a structure that grows: asked once for its length, then again with room for
 * all of it.
 */
final class InfoCall {
    /** More than any kernel has said so far; a larger answer is a fault. */
    private static final int LARGEST = 1 << 20;

    private InfoCall() {}

    /**
     * Makes the call, twice if need be.
     *
     * @param size bytes of the structure without capabilities
     * @param fill puts the caller's fields in, before each call
     * @return the structure with its capabilities
     */
    static MemorySegment get(
            SystemCalls calls,
            Arena arena,
            int fd,
            Ioctl request,
            int size,
            Consumer<MemorySegment> fill)
            throws LinuxException {
        int room = size;
        while (true) {
            MemorySegment info = arena.allocate(room, 8);
            info.set(JAVA_INT, VfioAbi.ARGSZ, room);
            fill.accept(info);
            calls.ioctl(fd, request, info);
            int needed = info.get(JAVA_INT, VfioAbi.ARGSZ);
            if (needed <= room) {
                return info;
            }
            if (needed > LARGEST) {
                throw new LinuxException(
                        "ioctl",
                        request.name(),
                        Errno.EOVERFLOW,
                        "the kernel wants room for " + needed + " bytes");
            }
            room = needed;
        }
    }
}
