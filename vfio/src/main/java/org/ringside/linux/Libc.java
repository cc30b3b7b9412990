package org.ringside.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of the C library, one method each, with the argument types that the library has. The
 * one class of this project that makes system calls.
 *
 * <p>A method returns what the function returns or, when it fails, the negated errno, as the kernel
 * itself does. Errno is captured with the call, before the JVM can change it. None is linked as
 * critical: most of them may block.
 */
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");

    private static final MethodHandle OPEN =
            variadic("open", 2, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = link("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle IOCTL_POINTER =
            variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);
    private static final MethodHandle IOCTL_LONG =
            variadic("ioctl", 2, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MMAP =
            link("mmap", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle MUNMAP = link("munmap", JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle MADVISE =
            link("madvise", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle PREAD =
            link("pread", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PWRITE =
            link("pwrite", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle READ = link("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WRITE =
            link("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle EVENTFD = link("eventfd", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle POLL = link("poll", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SOCKET =
            link("socket", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SOCKETPAIR =
            link("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle BIND = link("bind", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle CONNECT =
            link("connect", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle LISTEN = link("listen", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle ACCEPT4 =
            link("accept4", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);
    private static final MethodHandle SHUTDOWN = link("shutdown", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SEND =
            link("send", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG =
            link("sendmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle RECVMSG =
            link("recvmsg", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            link("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle SETSOCKOPT =
            link("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle MEMFD_CREATE =
            link("memfd_create", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle FTRUNCATE = link("ftruncate", JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle STATX =
            link("statx", JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS);
    private static final MethodHandle PRLIMIT =
            link("prlimit", JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle CHMOD = link("chmod", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle FCHMOD = link("fchmod", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle FCNTL =
            variadic("fcntl", 2, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle UNLINK = link("unlink", JAVA_INT, ADDRESS);
    private static final MethodHandle GETPID = link("getpid", JAVA_INT);
    private static final MethodHandle GETEUID = link("geteuid", JAVA_INT);
    private static final MethodHandle GETPAGESIZE = link("getpagesize", JAVA_INT);

    private Libc() {}

    private static MethodHandle link(String name, MemoryLayout result, MemoryLayout... arguments) {
        return downcall(name, FunctionDescriptor.of(result, arguments), ERRNO);
    }

    private static MethodHandle variadic(
            String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
        return downcall(
                name,
                FunctionDescriptor.of(result, arguments),
                ERRNO,
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    private static MethodHandle downcall(
            String name, FunctionDescriptor descriptor, Linker.Option... options) {
        MemorySegment symbol = LINKER.defaultLookup().find(name).orElse(MemorySegment.NULL);
        if (symbol.address() == 0) {
            throw new UnsupportedOperationException(
                    "the C library has no "
                            + name
                            + "(); Linux with glibc 2.28 or later is needed");
        }
        return LINKER.downcallHandle(symbol, descriptor, options);
    }

    private static int result(int result, MemorySegment state) {
        return result >= 0 ? result : -Scratch.errno(state);
    }

    private static long result(long result, MemorySegment state) {
        return result != -1 ? result : -Scratch.errno(state);
    }

    /**
     * A handle declares Throwable, but a downcall throws unchecked ones only: bad segments, closed
     * arenas.
     */
    private static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException e ? e : new IllegalStateException(t);
    }

    static int open(MemorySegment path, int flags, int mode) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) OPEN.invokeExact(state, path, flags, mode), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int close(int fd) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) CLOSE.invokeExact(state, fd), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int ioctl(int fd, long request, MemorySegment argument) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) IOCTL_POINTER.invokeExact(state, fd, request, argument), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int ioctl(int fd, long request, long argument) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) IOCTL_LONG.invokeExact(state, fd, request, argument), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result(
                    (long) MMAP.invokeExact(state, address, length, protection, flags, fd, offset),
                    state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int munmap(long address, long length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) MUNMAP.invokeExact(state, address, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int madvise(long address, long length, int advice) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) MADVISE.invokeExact(state, address, length, advice), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long pread(int fd, MemorySegment into, long length, long offset) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) PREAD.invokeExact(state, fd, into, length, offset), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long pwrite(int fd, MemorySegment from, long length, long offset) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) PWRITE.invokeExact(state, fd, from, length, offset), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long read(int fd, MemorySegment into, long length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) READ.invokeExact(state, fd, into, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long write(int fd, MemorySegment from, long length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) WRITE.invokeExact(state, fd, from, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int eventfd(int initial, int flags) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) EVENTFD.invokeExact(state, initial, flags), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int poll(MemorySegment pollFds, long count, int timeoutMillis) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) POLL.invokeExact(state, pollFds, count, timeoutMillis), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int socket(int domain, int type, int protocol) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) SOCKET.invokeExact(state, domain, type, protocol), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int socketpair(int domain, int type, int protocol, MemorySegment pair) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) SOCKETPAIR.invokeExact(state, domain, type, protocol, pair), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int bind(int fd, MemorySegment address, int length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) BIND.invokeExact(state, fd, address, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int connect(int fd, MemorySegment address, int length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) CONNECT.invokeExact(state, fd, address, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int listen(int fd, int backlog) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) LISTEN.invokeExact(state, fd, backlog), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int accept4(int fd, MemorySegment address, MemorySegment length, int flags) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) ACCEPT4.invokeExact(state, fd, address, length, flags), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int shutdown(int fd, int how) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) SHUTDOWN.invokeExact(state, fd, how), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long send(int fd, MemorySegment from, long length, int flags) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) SEND.invokeExact(state, fd, from, length, flags), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long sendmsg(int fd, MemorySegment message, int flags) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) SENDMSG.invokeExact(state, fd, message, flags), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long recvmsg(int fd, MemorySegment message, int flags) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((long) RECVMSG.invokeExact(state, fd, message, flags), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int getsockopt(
            int fd, int level, int option, MemorySegment value, MemorySegment length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result(
                    (int) GETSOCKOPT.invokeExact(state, fd, level, option, value, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int setsockopt(int fd, int level, int option, MemorySegment value, int length) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result(
                    (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, length), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int memfdCreate(MemorySegment name, int flags) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) MEMFD_CREATE.invokeExact(state, name, flags), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int ftruncate(int fd, long size) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) FTRUNCATE.invokeExact(state, fd, size), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int statx(int fd, MemorySegment path, int flags, int mask, MemorySegment into) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) STATX.invokeExact(state, fd, path, flags, mask, into), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int prlimit(int pid, int resource, MemorySegment set, MemorySegment get) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) PRLIMIT.invokeExact(state, pid, resource, set, get), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int chmod(MemorySegment path, int mode) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) CHMOD.invokeExact(state, path, mode), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int fchmod(int fd, int mode) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) FCHMOD.invokeExact(state, fd, mode), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int fcntl(int fd, int command, int argument) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) FCNTL.invokeExact(state, fd, command, argument), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int unlink(MemorySegment path) {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) UNLINK.invokeExact(state, path), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int getpid() {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) GETPID.invokeExact(state), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int geteuid() {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) GETEUID.invokeExact(state), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int getpagesize() {
        MemorySegment state = Scratch.current().capture;
        try {
            return result((int) GETPAGESIZE.invokeExact(state), state);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }
}
