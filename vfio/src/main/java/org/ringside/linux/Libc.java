package org.ringside.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of the C library, one method each. The one class of this project that makes system
 * calls.
 *
 * <p>A method returns what the function returns or, when it fails, the negated errno, as the kernel
 * itself does. Errno is captured with the call, before the JVM can change it. None is linked as
 * critical: most of them may block.
 *
 * <p>The JVM spins classes for each shape of native function, some 15 ms for the first call of
 * each, so the functions share five: an integer goes in a register of its own, sign-extended, and
 * one too many is not looked at (System V ABI for x86-64, 3.2.3; AAPCS64, 6.8.2). What comes back
 * as an int has its upper half undefined and is cut. A shape is linked when it is first called.
 * Pointers stay segments, which keeps their memory alive during the call.
 */
final class Libc {
    private static final Linker LINKER = Linker.nativeLinker();

    private static final MemorySegment OPEN = find("open");
    private static final MemorySegment CLOSE = find("close");
    private static final MemorySegment IOCTL = find("ioctl");
    private static final MemorySegment MMAP = find("mmap");
    private static final MemorySegment MUNMAP = find("munmap");
    private static final MemorySegment MADVISE = find("madvise");
    private static final MemorySegment PREAD = find("pread");
    private static final MemorySegment PWRITE = find("pwrite");
    private static final MemorySegment READ = find("read");
    private static final MemorySegment WRITE = find("write");
    private static final MemorySegment EVENTFD = find("eventfd");
    private static final MemorySegment POLL = find("poll");
    private static final MemorySegment SOCKET = find("socket");
    private static final MemorySegment SOCKETPAIR = find("socketpair");
    private static final MemorySegment BIND = find("bind");
    private static final MemorySegment CONNECT = find("connect");
    private static final MemorySegment LISTEN = find("listen");
    private static final MemorySegment ACCEPT4 = find("accept4");
    private static final MemorySegment SHUTDOWN = find("shutdown");
    private static final MemorySegment SEND = find("send");
    private static final MemorySegment RECV = find("recv");
    private static final MemorySegment SENDMSG = find("sendmsg");
    private static final MemorySegment RECVMSG = find("recvmsg");
    private static final MemorySegment GETSOCKOPT = find("getsockopt");
    private static final MemorySegment SETSOCKOPT = find("setsockopt");
    private static final MemorySegment MEMFD_CREATE = find("memfd_create");
    private static final MemorySegment FTRUNCATE = find("ftruncate");
    private static final MemorySegment STATX = find("statx");
    private static final MemorySegment PRLIMIT = find("prlimit");
    private static final MemorySegment CHMOD = find("chmod");
    private static final MemorySegment FCHMOD = find("fchmod");
    private static final MemorySegment FCNTL = find("fcntl");
    private static final MemorySegment UNLINK = find("unlink");
    private static final MemorySegment GETPID = find("getpid");
    private static final MemorySegment GETEUID = find("geteuid");
    private static final MemorySegment GETPAGESIZE = find("getpagesize");

    private Libc() {}

    private static MemorySegment find(String name) {
        MemorySegment symbol = LINKER.defaultLookup().find(name).orElse(MemorySegment.NULL);
        if (symbol.address() == 0) {
            throw new UnsupportedOperationException(
                    "the C library does not show its "
                            + name
                            + "(): it is older than glibc 2.28, or the process may open no more"
                            + " files (ulimit -n)");
        }
        return symbol;
    }

    private static MethodHandle link(MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                FunctionDescriptor.of(JAVA_LONG, arguments),
                Linker.Option.captureCallState("errno"));
    }

    private static int intResult(long result, MemorySegment state) {
        int low = (int) result;
        return low >= 0 ? low : -Scratch.errno(state);
    }

    private static long longResult(long result, MemorySegment state) {
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

    /** Shape: integers only. */
    private static final class Integers {
        static final MethodHandle CALL =
                link(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

        private Integers() {}

        static long call(
                MemorySegment function,
                MemorySegment state,
                long a,
                long b,
                long c,
                long d,
                long e,
                long f) {
            try {
                return (long) CALL.invokeExact(function, state, a, b, c, d, e, f);
            } catch (Throwable t) {
                throw unexpected(t);
            }
        }
    }

    /** Shape: a pointer, then integers. */
    private static final class PointerFirst {
        static final MethodHandle CALL = link(ADDRESS, JAVA_LONG, JAVA_LONG);

        private PointerFirst() {}

        static long call(
                MemorySegment function, MemorySegment state, MemorySegment a, long b, long c) {
            try {
                return (long) CALL.invokeExact(function, state, a, b, c);
            } catch (Throwable t) {
                throw unexpected(t);
            }
        }
    }

    /** Shape: an integer, a pointer, two integers, a pointer. */
    private static final class PointerSecond {
        static final MethodHandle CALL = link(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS);

        private PointerSecond() {}

        static long call(
                MemorySegment function,
                MemorySegment state,
                long a,
                MemorySegment b,
                long c,
                long d,
                MemorySegment e) {
            try {
                return (long) CALL.invokeExact(function, state, a, b, c, d, e);
            } catch (Throwable t) {
                throw unexpected(t);
            }
        }
    }

    /** Shape: two integers, two pointers. */
    private static final class PointersThird {
        static final MethodHandle CALL = link(JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);

        private PointersThird() {}

        static long call(
                MemorySegment function,
                MemorySegment state,
                long a,
                long b,
                MemorySegment c,
                MemorySegment d) {
            try {
                return (long) CALL.invokeExact(function, state, a, b, c, d);
            } catch (Throwable t) {
                throw unexpected(t);
            }
        }
    }

    /** Shape: three integers, two pointers. */
    private static final class PointersFourth {
        static final MethodHandle CALL = link(JAVA_LONG, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);

        private PointersFourth() {}

        static long call(
                MemorySegment function,
                MemorySegment state,
                long a,
                long b,
                long c,
                MemorySegment d,
                MemorySegment e) {
            try {
                return (long) CALL.invokeExact(function, state, a, b, c, d, e);
            } catch (Throwable t) {
                throw unexpected(t);
            }
        }
    }

    static int open(MemorySegment path, int flags, int mode) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointerFirst.call(OPEN, state, path, flags, mode), state);
    }

    static int close(int fd) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(CLOSE, state, fd, 0, 0, 0, 0, 0), state);
    }

    static int ioctl(int fd, long request, MemorySegment argument) {
        MemorySegment state = Scratch.current().capture;
        return intResult(
                PointersThird.call(IOCTL, state, fd, request, argument, MemorySegment.NULL), state);
    }

    static int ioctl(int fd, long request, long argument) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(IOCTL, state, fd, request, argument, 0, 0, 0), state);
    }

    static long mmap(long address, long length, int protection, int flags, int fd, long offset) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                Integers.call(MMAP, state, address, length, protection, flags, fd, offset), state);
    }

    static int munmap(long address, long length) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(MUNMAP, state, address, length, 0, 0, 0, 0), state);
    }

    static int madvise(long address, long length, int advice) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(MADVISE, state, address, length, advice, 0, 0, 0), state);
    }

    static long pread(int fd, MemorySegment into, long length, long offset) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(PREAD, state, fd, into, length, offset, MemorySegment.NULL),
                state);
    }

    static long pwrite(int fd, MemorySegment from, long length, long offset) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(PWRITE, state, fd, from, length, offset, MemorySegment.NULL),
                state);
    }

    static long read(int fd, MemorySegment into, long length) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(READ, state, fd, into, length, 0, MemorySegment.NULL), state);
    }

    static long write(int fd, MemorySegment from, long length) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(WRITE, state, fd, from, length, 0, MemorySegment.NULL), state);
    }

    static int eventfd(int initial, int flags) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(EVENTFD, state, initial, flags, 0, 0, 0, 0), state);
    }

    static int poll(MemorySegment pollFds, long count, int timeoutMillis) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointerFirst.call(POLL, state, pollFds, count, timeoutMillis), state);
    }

    static int socket(int domain, int type, int protocol) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(SOCKET, state, domain, type, protocol, 0, 0, 0), state);
    }

    static int socketpair(int domain, int type, int protocol, MemorySegment pair) {
        MemorySegment state = Scratch.current().capture;
        return intResult(
                PointersFourth.call(
                        SOCKETPAIR, state, domain, type, protocol, pair, MemorySegment.NULL),
                state);
    }

    static int bind(int fd, MemorySegment address, int length) {
        MemorySegment state = Scratch.current().capture;
        return intResult(
                PointerSecond.call(BIND, state, fd, address, length, 0, MemorySegment.NULL), state);
    }

    static int connect(int fd, MemorySegment address, int length) {
        MemorySegment state = Scratch.current().capture;
        return intResult(
                PointerSecond.call(CONNECT, state, fd, address, length, 0, MemorySegment.NULL),
                state);
    }

    static int listen(int fd, int backlog) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(LISTEN, state, fd, backlog, 0, 0, 0, 0), state);
    }

    static int accept4(int fd, int flags) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(ACCEPT4, state, fd, 0, 0, flags, 0, 0), state);
    }

    static int shutdown(int fd, int how) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(SHUTDOWN, state, fd, how, 0, 0, 0, 0), state);
    }

    static long send(int fd, MemorySegment from, long length, int flags) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(SEND, state, fd, from, length, flags, MemorySegment.NULL),
                state);
    }

    static long recv(int fd, MemorySegment into, long length, int flags) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(RECV, state, fd, into, length, flags, MemorySegment.NULL),
                state);
    }

    static long sendmsg(int fd, MemorySegment message, int flags) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(SENDMSG, state, fd, message, flags, 0, MemorySegment.NULL),
                state);
    }

    static long recvmsg(int fd, MemorySegment message, int flags) {
        MemorySegment state = Scratch.current().capture;
        return longResult(
                PointerSecond.call(RECVMSG, state, fd, message, flags, 0, MemorySegment.NULL),
                state);
    }

    static int getsockopt(
            int fd, int level, int option, MemorySegment value, MemorySegment length) {
        MemorySegment state = Scratch.current().capture;
        return intResult(
                PointersFourth.call(GETSOCKOPT, state, fd, level, option, value, length), state);
    }

    static int setsockopt(int fd, int level, int option, MemorySegment value, int length) {
        MemorySegment state = Scratch.current().capture;
        return intResult(
                PointersFourth.call(
                        SETSOCKOPT,
                        state,
                        fd,
                        level,
                        option,
                        value,
                        MemorySegment.ofAddress(length)),
                state);
    }

    static int memfdCreate(MemorySegment name, int flags) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointerFirst.call(MEMFD_CREATE, state, name, flags, 0), state);
    }

    static int ftruncate(int fd, long size) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(FTRUNCATE, state, fd, size, 0, 0, 0, 0), state);
    }

    static int statx(int fd, MemorySegment path, int flags, int mask, MemorySegment into) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointerSecond.call(STATX, state, fd, path, flags, mask, into), state);
    }

    static int prlimit(int pid, int resource, MemorySegment set, MemorySegment get) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointersThird.call(PRLIMIT, state, pid, resource, set, get), state);
    }

    static int chmod(MemorySegment path, int mode) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointerFirst.call(CHMOD, state, path, mode, 0), state);
    }

    static int fchmod(int fd, int mode) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(FCHMOD, state, fd, mode, 0, 0, 0, 0), state);
    }

    static int fcntl(int fd, int command, int argument) {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(FCNTL, state, fd, command, argument, 0, 0, 0), state);
    }

    static int unlink(MemorySegment path) {
        MemorySegment state = Scratch.current().capture;
        return intResult(PointerFirst.call(UNLINK, state, path, 0, 0), state);
    }

    static int getpid() {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(GETPID, state, 0, 0, 0, 0, 0, 0), state);
    }

    static int geteuid() {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(GETEUID, state, 0, 0, 0, 0, 0, 0), state);
    }

    static int getpagesize() {
        MemorySegment state = Scratch.current().capture;
        return intResult(Integers.call(GETPAGESIZE, state, 0, 0, 0, 0, 0, 0), state);
    }
}
