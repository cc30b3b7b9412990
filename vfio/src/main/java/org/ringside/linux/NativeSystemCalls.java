package org.ringside.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Layouts.PacketMreq;
import org.ringside.linux.Layouts.Rlimit;
import org.ringside.linux.Layouts.SockaddrLl;
import org.ringside.linux.Layouts.SockaddrUn;
import org.ringside.linux.Layouts.Statx;
import org.ringside.linux.Layouts.Ucred;

/**
 * {@link SystemCalls} of the kernel below this JVM. Calls {@link Libc}, repeats what a signal cut
 * short, and words failures.
 */
final class NativeSystemCalls implements SystemCalls {
    static final NativeSystemCalls INSTANCE = new NativeSystemCalls();

    private static final int AF_UNIX = 1;
    private static final int AF_PACKET = 17;
    private static final int SOCK_STREAM = 1;
    private static final int SOCK_RAW = 3;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SO_PEERCRED = 17;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int PACKET_MR_PROMISC = 1;

    /** ETH_P_ALL in network byte order. */
    private static final short ALL_PROTOCOLS = 0x0300;

    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_CTRUNC = 0x8;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int MSG_CMSG_CLOEXEC = 0x40000000;
    private static final int F_DUPFD_CLOEXEC = 1030;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_BASIC_STATS = 0x7ff;

    private NativeSystemCalls() {}

    private static int check(int result, String call, String detail) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, detail, -result);
        }
        return result;
    }

    private static int check(int result, String call, int fd) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, "fd " + fd, -result);
        }
        return result;
    }

    private static long check(long result, String call, int fd) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, "fd " + fd, (int) -result);
        }
        return result;
    }

    private static String range(long address, long length) {
        return "0x%x, %d bytes".formatted(address, length);
    }

    // ---- files

    @Override
    public int open(String path, int flags, int mode) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            int fd;
            do {
                fd = Libc.open(name, flags | Abi.O_CLOEXEC, mode);
            } while (fd == -Errno.EINTR);
            return check(fd, "open", path);
        }
    }

    @Override
    public void close(int fd) throws LinuxException {
        int result = Libc.close(fd);
        if (result != -Errno.EINTR) {
            check(result, "close", fd);
        }
    }

    @Override
    public int ioctl(int fd, Ioctl request, MemorySegment argument) throws LinuxException {
        int result;
        do {
            result = Libc.ioctl(fd, request.number(), argument);
        } while (result == -Errno.EINTR);
        return check(result, "ioctl", request.name());
    }

    @Override
    public int ioctl(int fd, Ioctl request, long argument) throws LinuxException {
        int result;
        do {
            result = Libc.ioctl(fd, request.number(), argument);
        } while (result == -Errno.EINTR);
        return check(result, "ioctl", request.name());
    }

    @Override
    public long pread(int fd, MemorySegment into, long offset) throws LinuxException {
        long result;
        do {
            result = Libc.pread(fd, into, into.byteSize(), offset);
        } while (result == -Errno.EINTR);
        return check(result, "pread", fd);
    }

    @Override
    public long pwrite(int fd, MemorySegment from, long offset) throws LinuxException {
        long result;
        do {
            result = Libc.pwrite(fd, from, from.byteSize(), offset);
        } while (result == -Errno.EINTR);
        return check(result, "pwrite", fd);
    }

    @Override
    public long read(int fd, MemorySegment into) throws LinuxException {
        long result;
        do {
            result = Libc.read(fd, into, into.byteSize());
        } while (result == -Errno.EINTR);
        return check(result, "read", fd);
    }

    @Override
    public long write(int fd, MemorySegment from) throws LinuxException {
        long result;
        do {
            result = Libc.write(fd, from, from.byteSize());
        } while (result == -Errno.EINTR);
        return check(result, "write", fd);
    }

    @Override
    public int memfdCreate(String name, int flags) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            int fd = Libc.memfdCreate(arena.allocateFrom(name), flags | Abi.MFD_CLOEXEC);
            return check(fd, "memfd_create", name + ", flags 0x" + Integer.toHexString(flags));
        }
    }

    @Override
    public void ftruncate(int fd, long size) throws LinuxException {
        int result;
        do {
            result = Libc.ftruncate(fd, size);
        } while (result == -Errno.EINTR);
        check(result, "ftruncate", "fd " + fd + ", " + size + " bytes");
    }

    @Override
    public FileStatus fstat(int fd) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        // The scratch path is empty: with AT_EMPTY_PATH the descriptor itself is meant.
        MemorySegment empty = Scratch.current().emptyPath;
        check(Libc.statx(fd, empty, AT_EMPTY_PATH, STATX_BASIC_STATS, struct), "statx", fd);
        long device =
                (long) struct.get(JAVA_INT, Statx.DEV_MAJOR) << 32
                        | Integer.toUnsignedLong(struct.get(JAVA_INT, Statx.DEV_MINOR));
        return new FileStatus(
                device,
                struct.get(JAVA_LONG, Statx.INO),
                struct.get(JAVA_LONG, Statx.FILE_SIZE),
                Short.toUnsignedInt(struct.get(JAVA_SHORT, Statx.MODE)),
                struct.get(JAVA_INT, Statx.BLKSIZE));
    }

    @Override
    public void chmod(String path, int mode) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            check(Libc.chmod(arena.allocateFrom(path), mode), "chmod", path);
        }
    }

    @Override
    public void fchmod(int fd, int mode) throws LinuxException {
        check(Libc.fchmod(fd, mode), "fchmod", fd);
    }

    @Override
    public int dup(int fd) throws LinuxException {
        return check(Libc.fcntl(fd, F_DUPFD_CLOEXEC, 0), "fcntl(F_DUPFD_CLOEXEC)", fd);
    }

    @Override
    public int fcntl(int fd, int command, int argument) throws LinuxException {
        return check(Libc.fcntl(fd, command, argument), "fcntl", "fd " + fd + ", " + command);
    }

    @Override
    public void unlink(String path) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            check(Libc.unlink(arena.allocateFrom(path)), "unlink", path);
        }
    }

    // ---- memory

    @Override
    public MemorySegment mmap(
            Arena arena, long length, int protection, int flags, int fd, long offset)
            throws LinuxException {
        long address = mmap(0, length, protection, flags, fd, offset);
        try {
            return MemorySegment.ofAddress(address)
                    .reinterpret(length, arena, mapped -> Libc.munmap(mapped.address(), length));
        } catch (RuntimeException e) {
            // The arena is closed or another thread's.
            Libc.munmap(address, length);
            throw e;
        }
    }

    @Override
    public long mmap(long address, long length, int protection, int flags, int fd, long offset)
            throws LinuxException {
        long result = Libc.mmap(address, length, protection, flags, fd, offset);
        // User addresses are positive; a failure is a small negative number.
        if (result < 0) {
            String detail = "%d bytes of fd %d at 0x%x".formatted(length, fd, offset);
            throw new LinuxException("mmap", detail, (int) -result);
        }
        return result;
    }

    @Override
    public void munmap(long address, long length) throws LinuxException {
        check(Libc.munmap(address, length), "munmap", range(address, length));
    }

    @Override
    public void madvise(long address, long length, int advice) throws LinuxException {
        String detail = range(address, length) + ", advice " + advice;
        check(Libc.madvise(address, length, advice), "madvise", detail);
    }

    @Override
    public MemorySegment memoryAt(
            long address, long length, Arena arena, @Nullable Runnable atEnd) {
        return MemorySegment.ofAddress(address)
                .reinterpret(length, arena, atEnd == null ? null : ended -> atEnd.run());
    }

    // ---- events

    @Override
    public int eventfd() throws LinuxException {
        return check(Libc.eventfd(0, Abi.EFD_CLOEXEC | Abi.EFD_NONBLOCK), "eventfd", "");
    }

    @Override
    public long eventfdRead(int fd) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        long result;
        do {
            result = Libc.read(fd, struct, Long.BYTES);
        } while (result == -Errno.EINTR);
        if (result == -Errno.EAGAIN) {
            return 0;
        }
        check(result, "read", fd);
        return struct.get(JAVA_LONG, 0);
    }

    @Override
    public void eventfdWrite(int fd, long value) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        struct.set(JAVA_LONG, 0, value);
        long result;
        do {
            result = Libc.write(fd, struct, Long.BYTES);
        } while (result == -Errno.EINTR);
        check(result, "write", fd);
    }

    @Override
    public int poll(MemorySegment pollFds, int count, int timeoutMillis) throws LinuxException {
        int result = Libc.poll(pollFds, count, timeoutMillis);
        if (result == -Errno.EINTR) {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
            do {
                int left = timeoutMillis;
                if (timeoutMillis > 0) {
                    long nanos = Math.max(0, deadline - System.nanoTime());
                    left = (int) TimeUnit.NANOSECONDS.toMillis(nanos + 999_999);
                }
                result = Libc.poll(pollFds, count, left);
            } while (result == -Errno.EINTR);
        }
        return check(result, "poll", count + " descriptors");
    }

    // ---- sockets

    @Override
    public int unixSocket() throws LinuxException {
        int fd = Libc.socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        return check(fd, "socket", "AF_UNIX, SOCK_STREAM");
    }

    @Override
    public int[] socketPair() throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        int result = Libc.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, struct);
        check(result, "socketpair", "AF_UNIX, SOCK_STREAM");
        return new int[] {struct.get(JAVA_INT, 0), struct.get(JAVA_INT, 4)};
    }

    /** Puts struct sockaddr_un into the scratch memory and returns its length. */
    private static int socketAddress(MemorySegment struct, String call, String path)
            throws LinuxException {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > SockaddrUn.PATH_MAX) {
            throw new LinuxException(
                    call,
                    path,
                    Errno.ENAMETOOLONG,
                    "the path of a socket has at most %d bytes, this one has %d"
                            .formatted(SockaddrUn.PATH_MAX, bytes.length));
        }
        struct.set(JAVA_SHORT, SockaddrUn.FAMILY, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, struct, JAVA_BYTE, SockaddrUn.PATH, bytes.length);
        struct.set(JAVA_BYTE, SockaddrUn.PATH + bytes.length, (byte) 0);
        return SockaddrUn.PATH + bytes.length + 1;
    }

    @Override
    public void bind(int fd, String path) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        int length = socketAddress(struct, "bind", path);
        check(Libc.bind(fd, struct, length), "bind", path);
    }

    @Override
    public void connect(int fd, String path) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        int length = socketAddress(struct, "connect", path);
        int result;
        do {
            // A UNIX socket that was interrupted has not begun to connect, unlike an Internet one.
            result = Libc.connect(fd, struct, length);
        } while (result == -Errno.EINTR);
        check(result, "connect", path);
    }

    @Override
    public void listen(int fd, int backlog) throws LinuxException {
        check(Libc.listen(fd, backlog), "listen", fd);
    }

    @Override
    public int accept(int fd) throws LinuxException {
        int result;
        do {
            result = Libc.accept4(fd, SOCK_CLOEXEC);
        } while (result == -Errno.EINTR);
        return check(result, "accept4", fd);
    }

    @Override
    public void shutdown(int fd, int how) throws LinuxException {
        check(Libc.shutdown(fd, how), "shutdown", fd);
    }

    @Override
    public int send(int fd, MemorySegment data) throws LinuxException {
        long result;
        do {
            result = Libc.send(fd, data, data.byteSize(), MSG_NOSIGNAL);
        } while (result == -Errno.EINTR);
        return (int) check(result, "send", fd);
    }

    @Override
    public boolean sendNow(int fd, MemorySegment from, int length) throws LinuxException {
        long result;
        do {
            result = Libc.send(fd, from, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        } while (result == -Errno.EINTR);
        if (result == -Errno.EAGAIN || result == -Errno.ENOBUFS) {
            return false;
        }
        check(result, "send", fd);
        return true;
    }

    @Override
    public int receiveNow(int fd, MemorySegment into) throws LinuxException {
        long result;
        do {
            result = Libc.recv(fd, into, into.byteSize(), MSG_DONTWAIT | MSG_TRUNC);
        } while (result == -Errno.EINTR);
        return result == -Errno.EAGAIN ? -1 : (int) check(result, "recv", fd);
    }

    @Override
    public int packetSocket(int interfaceIndex) throws LinuxException {
        String detail = "AF_PACKET, interface " + interfaceIndex;
        // Of no protocol: nothing is received before it is bound to the interface.
        int fd = check(Libc.socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0), "socket", detail);
        MemorySegment struct = Scratch.current().struct;
        try {
            struct.set(JAVA_INT, 0, 1);
            int done = Libc.setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, struct, 4);
            check(done, "setsockopt", "PACKET_IGNORE_OUTGOING");
            struct.asSlice(0, SockaddrLl.SIZE).fill((byte) 0);
            struct.set(JAVA_SHORT, SockaddrLl.FAMILY, (short) AF_PACKET);
            struct.set(JAVA_SHORT, SockaddrLl.PROTOCOL, ALL_PROTOCOLS);
            struct.set(JAVA_INT, SockaddrLl.IFINDEX, interfaceIndex);
            check(Libc.bind(fd, struct, SockaddrLl.SIZE), "bind", detail);
            struct.asSlice(0, PacketMreq.SIZE).fill((byte) 0);
            struct.set(JAVA_INT, PacketMreq.IFINDEX, interfaceIndex);
            struct.set(JAVA_SHORT, PacketMreq.TYPE, (short) PACKET_MR_PROMISC);
            done = Libc.setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, struct, PacketMreq.SIZE);
            check(done, "setsockopt", "PACKET_ADD_MEMBERSHIP");
            return fd;
        } catch (LinuxException | RuntimeException e) {
            close(fd);
            throw e;
        }
    }

    @Override
    public int sendmsg(int fd, MemorySegment data, int[] fds) throws LinuxException {
        Scratch scratch = Scratch.current();
        scratch.describeSend(data, fds);
        long result;
        do {
            result = Libc.sendmsg(fd, scratch.message, MSG_NOSIGNAL);
        } while (result == -Errno.EINTR);
        return (int) check(result, "sendmsg", fd);
    }

    @Override
    public Received recvmsg(int fd, MemorySegment into, int maxFds) throws LinuxException {
        Scratch scratch = Scratch.current();
        long result;
        do {
            scratch.describeReceive(into, maxFds);
            result = Libc.recvmsg(fd, scratch.message, MSG_CMSG_CLOEXEC);
        } while (result == -Errno.EINTR);
        check(result, "recvmsg", fd);
        int[] fds = scratch.receivedFds();
        if ((scratch.receivedFlags() & MSG_CTRUNC) != 0 || fds.length > maxFds) {
            for (int stray : fds) {
                close(stray);
            }
            throw new LinuxException(
                    "recvmsg",
                    "fd " + fd,
                    Errno.EMSGSIZE,
                    "the message carried more than %d descriptors; all were closed"
                            .formatted(maxFds));
        }
        return new Received((int) result, fds);
    }

    @Override
    public PeerCredentials peerCredentials(int fd) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        getSocketOption(fd, SO_PEERCRED, struct, Ucred.SIZE);
        return new PeerCredentials(
                struct.get(JAVA_INT, Ucred.PID),
                struct.get(JAVA_INT, Ucred.UID),
                struct.get(JAVA_INT, Ucred.GID));
    }

    @Override
    public int getSocketOption(int fd, int option) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        getSocketOption(fd, option, struct, Integer.BYTES);
        return struct.get(JAVA_INT, 0);
    }

    private static void getSocketOption(int fd, int option, MemorySegment struct, int size)
            throws LinuxException {
        MemorySegment length = struct.asSlice(128, Integer.BYTES);
        length.set(JAVA_INT, 0, size);
        int result = Libc.getsockopt(fd, Abi.SOL_SOCKET, option, struct, length);
        check(result, "getsockopt", "fd " + fd + ", option " + option);
    }

    @Override
    public void setSocketOption(int fd, int option, int value) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        struct.set(JAVA_INT, 0, value);
        int result = Libc.setsockopt(fd, Abi.SOL_SOCKET, option, struct, Integer.BYTES);
        check(result, "setsockopt", "fd " + fd + ", option " + option);
    }

    @Override
    public void setSendTimeout(int fd, int millis) throws LinuxException {
        MemorySegment timeval = Scratch.current().struct;
        timeval.set(JAVA_LONG, 0, millis / 1000);
        timeval.set(JAVA_LONG, Long.BYTES, millis % 1000 * 1000L);
        int result = Libc.setsockopt(fd, Abi.SOL_SOCKET, Abi.SO_SNDTIMEO, timeval, 2 * Long.BYTES);
        check(result, "setsockopt", "fd " + fd + ", SO_SNDTIMEO");
    }

    // ---- process

    @Override
    public ResourceLimit getrlimit(int resource) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        int result = Libc.prlimit(0, resource, MemorySegment.NULL, struct);
        check(result, "prlimit", "resource " + resource);
        return new ResourceLimit(
                struct.get(JAVA_LONG, Rlimit.CUR), struct.get(JAVA_LONG, Rlimit.MAX));
    }

    @Override
    public void setrlimit(int resource, ResourceLimit limit) throws LinuxException {
        MemorySegment struct = Scratch.current().struct;
        struct.set(JAVA_LONG, Rlimit.CUR, limit.soft());
        struct.set(JAVA_LONG, Rlimit.MAX, limit.hard());
        int result = Libc.prlimit(0, resource, struct, MemorySegment.NULL);
        check(result, "prlimit", "resource " + resource + ", " + limit);
    }

    @Override
    public int getpid() {
        return Libc.getpid();
    }

    @Override
    public int geteuid() {
        return Libc.geteuid();
    }

    @Override
    public int pageSize() {
        return Libc.getpagesize();
    }
}
