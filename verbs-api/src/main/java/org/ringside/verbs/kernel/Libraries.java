package org.ringside.verbs.kernel;

import com.sun.jna.Function;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ringside.verbs.VerbsException;

/**
 * The native libraries as the provider uses them; another for tests.
 *
 * @param verbs libibverbs
 * @param c the C library
 */
record Libraries(Libibverbs verbs, Libc c) {
    /**
     * Loads them.
     *
     * @throws VerbsException ENOENT when libibverbs is not there, EIO when it cannot be used
     */
    static Libraries load() throws VerbsException {
        try {
            Libc c = Native.load("c", Libc.class);
            return new Libraries(Native.load(Libibverbs.FILE, Libibverbs.class), c);
        } catch (UnsatisfiedLinkError e) {
            throw cannotLoad(e);
        } catch (LinkageError | IllegalCallerException e) {
            throw new VerbsException(
                    VerbsException.EIO,
                    "native libraries cannot be called: %s; put jna's jar on the class path and start"
                                    .formatted(e)
                            + " java with --enable-native-access=ALL-UNNAMED",
                    e);
        }
    }

    private static VerbsException cannotLoad(UnsatisfiedLinkError e) {
        String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
        if (said.contains("jnidispatch")) {
            return new VerbsException(
                    VerbsException.EIO,
                    "JNA cannot unpack its library: %s; let -Djna.tmpdir name a directory that programs"
                                    .formatted(said)
                            + " may be run from",
                    e);
        }
        return new VerbsException(
                VerbsException.ENOENT,
                "rdma-core's %s cannot be loaded: %s; install it (Debian: apt-get install"
                                .formatted(Libibverbs.FILE, said)
                        + " libibverbs1 ibverbs-providers)",
                e);
    }

    /** The error number that the last call of this thread left. */
    static int errno() {
        return Native.getLastError();
    }

    /** Calls a function that makes an object by an address and an attribute structure. */
    static long make(MemorySegment function, long from, long attributes) {
        return Function.getFunction(new Pointer(function.address()))
                .invokeLong(new Object[] {from, attributes});
    }

    /** What went wrong, from the error number of a call. */
    VerbsException failure(int errno, String what) {
        return failure(errno, what, "");
    }

    /**
     * What went wrong.
     *
     * @param cure what to do about it, empty when the error itself tells
     */
    VerbsException failure(int errno, String what, String cure) {
        String text =
                "%s: %s (errno %d)".formatted(what, c.strerror(errno), errno)
                        + (cure.isEmpty() ? "" : "; " + cure);
        return new VerbsException(errno, text);
    }

    /** Whether this process has no file descriptor left. */
    boolean outOfDescriptors() {
        int fd = c.open("/dev/null", Libc.CLOEXEC);
        if (fd < 0) {
            return true;
        }
        c.close(fd);
        return false;
    }

    /** Soft limit of locked memory for people: bytes, or "unlimited". */
    String memoryLimit() {
        try (Arena arena = Arena.ofConfined()) {
            long limits = arena.allocate(16, 8).address();
            if (c.getrlimit(Libc.RLIMIT_MEMLOCK, limits) != 0) {
                return "unknown";
            }
            long soft = Raw.getLong(limits);
            return soft == -1 ? "unlimited" : soft + " bytes";
        }
    }
}
