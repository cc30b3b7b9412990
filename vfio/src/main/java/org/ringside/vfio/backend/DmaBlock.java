package org.ringside.vfio.backend;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/**
 * Memory of a memfd, mapped here and mappable by a peer that gets the descriptor. Zeroed. On huge
 * pages when asked and had; else the kernel is asked for transparent ones.
 *
 * <p>Its addresses can outlive it: when somebody asked for {@link #enduring()}, closing puts
 * private pages in the place of the memfd's, so the memory is free at once, and the addresses are
 * given back when the last such segment is unreachable.
 */
final class DmaBlock implements AutoCloseable {
    /** Bytes of a huge page. */
    static final long HUGE_PAGE = 2L << 20;

    /** Threads that map at the same time rarely meet at all. */
    private static final int ATTEMPTS = 100;

    private static final Logger LOGGER = System.getLogger(DmaBlock.class.getName());

    private final SystemCalls calls;
    private final int fd;
    private final MemorySegment memory;
    private final Arena arena;
    private final boolean huge;
    private @Nullable MemorySegment enduring;
    private @Nullable Addresses addresses;
    private boolean closed;

    @SuppressWarnings(
            "MustBeClosedChecker") // the arena lives as long as the block; close() closes it
    private DmaBlock(SystemCalls calls, int fd, long address, long size, boolean huge) {
        this.calls = calls;
        this.fd = fd;
        this.arena = Arena.ofShared();
        this.memory = calls.memoryAt(address, size, arena, null);
        this.huge = huge;
    }

    /**
     * Makes a block.
     *
     * @param size bytes, whole pages; whole huge pages for {@code huge}
     * @param alignment of the address, a power of two, at least a page
     * @param huge from the kernel's pool of huge pages
     */
    static DmaBlock create(SystemCalls calls, long size, long alignment, boolean huge)
            throws LinuxException {
        int flags = huge ? Abi.MFD_HUGETLB | Abi.MFD_HUGE_2MB : 0;
        int fd = calls.memfdCreate("ringside-dma", flags);
        try {
            calls.ftruncate(fd, size);
            long address = mapAligned(calls, fd, size, alignment);
            if (!huge) {
                adviseQuietly(calls, address, size, Abi.MADV_HUGEPAGE);
            }
            // A child of this process must not make our pages copy-on-write.
            adviseQuietly(calls, address, size, Abi.MADV_DONTFORK);
            return new DmaBlock(calls, fd, address, size, huge);
        } catch (LinuxException | RuntimeException e) {
            calls.close(fd);
            throw e;
        }
    }

    /**
     * Finds a place by reserving more than needed and giving it back, then maps there unless
     * another thread was faster. Mapping over the reservation would be wrong: where that fails, as
     * it does when huge pages are short, the kernel may have removed the reservation first, and
     * what is there a moment later can be another's.
     */
    private static long mapAligned(SystemCalls calls, int fd, long size, long alignment)
            throws LinuxException {
        int nothing = Abi.MAP_PRIVATE | Abi.MAP_ANONYMOUS | Abi.MAP_NORESERVE;
        int access = Abi.PROT_READ | Abi.PROT_WRITE;
        int there = Abi.MAP_SHARED | Abi.MAP_FIXED_NOREPLACE;
        for (int attempt = 1; ; attempt++) {
            long found = calls.mmap(0, size + alignment, Abi.PROT_NONE, nothing, -1, 0);
            calls.munmap(found, size + alignment);
            try {
                return calls.mmap(found + alignment - 1 & -alignment, size, access, there, fd, 0);
            } catch (LinuxException e) {
                if (e.errno() != Errno.EEXIST || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Advice that the kernel does not take costs speed only. */
    private static void adviseQuietly(SystemCalls calls, long address, long size, int advice) {
        try {
            calls.madvise(address, size, advice);
        } catch (LinuxException e) {
            LOGGER.log(Level.DEBUG, e.getMessage());
        }
    }

    int fd() {
        return fd;
    }

    MemorySegment memory() {
        return memory;
    }

    /** All of it, at addresses that are valid as long as the segment is reachable. */
    synchronized MemorySegment enduring() {
        MemorySegment result = enduring;
        if (result == null) {
            var range = new Addresses(calls, memory.address(), memory.byteSize());
            result = calls.memoryAt(range.address, range.size, Arena.ofAuto(), range);
            enduring = result;
            addresses = range;
        }
        return result;
    }

    /** Addresses to be unmapped when nobody holds them, if the block was closed by then. */
    private static final class Addresses implements Runnable {
        final SystemCalls calls;
        final long address;
        final long size;
        volatile boolean vacant;

        Addresses(SystemCalls calls, long address, long size) {
            this.calls = calls;
            this.address = address;
            this.size = size;
        }

        @Override
        public void run() {
            if (!vacant) {
                return;
            }
            try {
                calls.munmap(address, size);
            } catch (LinuxException e) {
                LOGGER.log(Level.WARNING, e.getMessage());
            }
        }
    }

    boolean isHuge() {
        return huge;
    }

    /** Unmaps and closes; the device must not reach it any more. Closing twice is harmless. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            arena.close();
            leave();
        } catch (IllegalStateException e) {
            // A thread is in a system call with this memory. Pulling it away would kill the JVM;
            // leaving it costs memory.
            LOGGER.log(
                    Level.WARNING, "DMA memory stays mapped, a call uses it: {0}", e.getMessage());
        } catch (LinuxException e) {
            LOGGER.log(Level.WARNING, e.getMessage());
        }
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            LOGGER.log(Level.WARNING, e.getMessage());
        }
    }

    private void leave() throws LinuxException {
        Addresses held = addresses;
        if (held == null) {
            calls.munmap(memory.address(), memory.byteSize());
            return;
        }
        int access = Abi.PROT_READ | Abi.PROT_WRITE;
        int nobodys = Abi.MAP_PRIVATE | Abi.MAP_ANONYMOUS | Abi.MAP_NORESERVE | Abi.MAP_FIXED;
        calls.mmap(held.address, held.size, access, nobodys, -1, 0);
        held.vacant = true;
        enduring = null;
        addresses = null;
    }
}
