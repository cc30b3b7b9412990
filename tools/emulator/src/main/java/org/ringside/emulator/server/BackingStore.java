package org.ringside.emulator.server;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.linux.FileStatus;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;

/** The files behind the DMA ranges of a client, each opened or mapped once. */
final class BackingStore {
    private static final int O_ACCMODE = 3;

    private final SystemCalls calls;
    private final Map<Backing.Key, Backing> current = new HashMap<>();

    BackingStore(SystemCalls calls) {
        this.calls = calls;
    }

    /**
     * The file that a descriptor stands for, with one more reference. The descriptor is used up,
     * whatever happens.
     *
     * @param mapped whether to reach it by mmap
     * @param end first byte behind the part that is needed
     */
    Backing open(int fd, boolean mapped, long end) throws RequestException {
        boolean keep = false;
        try {
            FileStatus status = calls.fstat(fd);
            int mode = calls.fcntl(fd, Abi.F_GETFL, 0) & O_ACCMODE;
            if (mode == Abi.O_WRONLY) {
                throw new RequestException(Errno.EACCES, "the descriptor is write-only");
            }
            if (mapped && (status.mode() & Abi.S_IFMT) != Abi.S_IFREG) {
                throw RequestException.invalid("the descriptor is no regular file");
            }
            if (mapped && status.size() < end) {
                throw RequestException.invalid(
                        "the file has 0x%x bytes, the mapping ends at 0x%x"
                                .formatted(status.size(), end));
            }
            Backing.Key key = new Backing.Key(status.device(), status.inode(), mode, mapped);
            Backing known = current.get(key);
            if (known != null && known.size() >= end) {
                return known.retain();
            }
            // A file that has grown is mapped anew; older ranges keep the mapping that they have.
            Backing opened =
                    mapped
                            ? map(key, fd, status.size())
                            : new OpenFile(key, calls, fd, isOwnMemory(status));
            keep = !mapped;
            current.put(key, opened);
            return opened;
        } catch (LinuxException e) {
            throw new RequestException(e.errno(), String.valueOf(e.getMessage()));
        } finally {
            if (!keep) {
                close(fd);
            }
        }
    }

    /** Compares inodes: names of processes differ between namespaces. */
    private boolean isOwnMemory(FileStatus status) throws LinuxException {
        int own = calls.open("/proc/self/mem", Abi.O_RDONLY);
        try {
            FileStatus ours = calls.fstat(own);
            return ours.device() == status.device() && ours.inode() == status.inode();
        } finally {
            calls.close(own);
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // The file owns the arena.
    private Backing map(Backing.Key key, int fd, long size) throws LinuxException {
        int protection = Abi.PROT_READ | (key.accessMode() == Abi.O_RDONLY ? 0 : Abi.PROT_WRITE);
        Arena arena = Arena.ofShared();
        try {
            return new MappedFile(
                    key, arena, calls.mmap(arena, size, protection, Abi.MAP_SHARED, fd, 0));
        } catch (LinuxException | RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    /** Gives back a reference. */
    void release(Backing backing) {
        if (backing.release()) {
            current.remove(backing.key(), backing);
        }
    }

    private void close(int fd) {
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            System.getLogger(BackingStore.class.getName())
                    .log(System.Logger.Level.DEBUG, "close of a descriptor of DMA_MAP", e);
        }
    }
}
