package org.ringside.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The system calls that device access needs. An interface, so that tests can stand in for a kernel
 * that fails on demand; {@link #host()} is the real one.
 *
 * <p>Every call that fails throws {@link LinuxException} with the call's errno. Calls that a signal
 * may interrupt are repeated (a {@code poll} only for the rest of its time), {@code close} never
 * is. Every descriptor made here is close-on-exec. Memory handed to a call must be native.
 *
 * <p>Threading: any thread may make any call.
 */
public interface SystemCalls {
    /** Descriptors that one message can carry here; Linux itself allows 253. */
    int MAX_MESSAGE_FDS = 64;

    /**
     * The kernel of this machine.
     *
     * @throws IllegalStateException when this JVM forbids native access; the message has the option
     *     that allows it
     */
    static SystemCalls host() {
        return NativeAccess.systemCalls();
    }

    /** open(2) with O_CLOEXEC added. {@code mode} counts only with O_CREAT. */
    int open(String path, int flags, int mode) throws LinuxException;

    /** open(2) of a file that exists, with O_CLOEXEC added. */
    default int open(String path, int flags) throws LinuxException {
        return open(path, flags, 0);
    }

    /** close(2). Not repeated after a signal: Linux has released the descriptor by then. */
    void close(int fd) throws LinuxException;

    /** ioctl(2) with a pointer; returns what the kernel returns, which is not always 0. */
    int ioctl(int fd, Ioctl request, MemorySegment argument) throws LinuxException;

    /** ioctl(2) with a number. */
    int ioctl(int fd, Ioctl request, long argument) throws LinuxException;

    /** mmap(2) of a file or of anonymous memory (fd -1); unmapped when the arena closes. */
    MemorySegment mmap(Arena arena, long length, int protection, int flags, int fd, long offset)
            throws LinuxException;

    /**
     * mmap(2) at an address of the caller's choice or, with 0, of the kernel's. Returns the
     * address; the caller unmaps.
     */
    long mmap(long address, long length, int protection, int flags, int fd, long offset)
            throws LinuxException;

    /** munmap(2). */
    void munmap(long address, long length) throws LinuxException;

    /** madvise(2). */
    void madvise(long address, long length, int advice) throws LinuxException;

    /**
     * Memory at an address that {@link #mmap(long, long, int, int, int, long)} gave, alive as long
     * as the arena. {@code atEnd} runs when the arena has ended; it must not refer to the segment.
     */
    MemorySegment memoryAt(long address, long length, Arena arena, @Nullable Runnable atEnd);

    /** pread(2); returns the bytes read, fewer than asked at the end of the file. */
    long pread(int fd, MemorySegment into, long offset) throws LinuxException;

    /** pwrite(2); returns the bytes written. */
    long pwrite(int fd, MemorySegment from, long offset) throws LinuxException;

    /** read(2); returns the bytes read, 0 at the end. */
    long read(int fd, MemorySegment into) throws LinuxException;

    /** write(2); returns the bytes written. */
    long write(int fd, MemorySegment from) throws LinuxException;

    /** eventfd(2), counter at 0, non-blocking. */
    int eventfd() throws LinuxException;

    /** Takes an eventfd's counter; 0 when it is 0 already. */
    long eventfdRead(int fd) throws LinuxException;

    /** Adds to an eventfd's counter. */
    void eventfdWrite(int fd, long value) throws LinuxException;

    /**
     * poll(2).
     *
     * @param pollFds array of struct pollfd; {@link PollSet} makes one
     * @param timeoutMillis -1 to wait for ever
     * @return entries with events, 0 when time ran out
     */
    int poll(MemorySegment pollFds, int count, int timeoutMillis) throws LinuxException;

    /** An AF_UNIX stream socket. */
    int unixSocket() throws LinuxException;

    /** Binds a UNIX socket to a path of at most 107 bytes. */
    void bind(int fd, String path) throws LinuxException;

    /** listen(2). */
    void listen(int fd, int backlog) throws LinuxException;

    /** accept4(2) with SOCK_CLOEXEC. */
    int accept(int fd) throws LinuxException;

    /** Connects a UNIX socket to a path. */
    void connect(int fd, String path) throws LinuxException;

    /**
     * shutdown(2), how is one of SHUT_RD, SHUT_WR, SHUT_RDWR. Wakes threads that block on the
     * socket.
     */
    void shutdown(int fd, int how) throws LinuxException;

    /** A connected pair of UNIX stream sockets. */
    int[] socketPair() throws LinuxException;

    /**
     * Sends data, with descriptors beside its first byte (SCM_RIGHTS). A peer that has gone gives
     * EPIPE, not a signal. Returns the bytes sent, which can be fewer; the descriptors have gone by
     * then. The caller keeps its own copies.
     *
     * @param fds at most {@link #MAX_MESSAGE_FDS}
     */
    int sendmsg(int fd, MemorySegment data, int[] fds) throws LinuxException;

    /** Sends data alone; otherwise as {@link #sendmsg}, and makes no garbage. */
    int send(int fd, MemorySegment data) throws LinuxException;

    /**
     * Sends one datagram or frame if the socket has room for it now. Makes no garbage.
     *
     * @param length of it, from the start of {@code from}
     * @return false when there is no room (EAGAIN, ENOBUFS): it is not sent
     */
    boolean sendNow(int fd, MemorySegment from, int length) throws LinuxException;

    /**
     * Takes one datagram or frame if there is one now. Makes no garbage.
     *
     * @return its length, which can be more than {@code into} has room for: then the rest is lost;
     *     -1 when there is none
     */
    int receiveNow(int fd, MemorySegment into) throws LinuxException;

    /**
     * A socket for whole Ethernet frames of one network interface (packet(7)): each that the
     * interface receives, to whatever address (PACKET_MR_PROMISC), but not what this machine sends
     * on it (PACKET_IGNORE_OUTGOING, Linux 4.20).
     *
     * @param interfaceIndex as in /sys/class/net/NAME/ifindex
     * @throws LinuxException EPERM without CAP_NET_RAW; ENODEV when there is no such interface
     */
    int packetSocket(int interfaceIndex) throws LinuxException;

    /**
     * Receives data and the descriptors beside it. When more arrive than {@code maxFds}, all that
     * did are closed and the call fails with EMSGSIZE.
     *
     * @param maxFds 0 to {@link #MAX_MESSAGE_FDS}
     */
    Received recvmsg(int fd, MemorySegment into, int maxFds) throws LinuxException;

    /** Who is on the other end. */
    PeerCredentials peerCredentials(int fd) throws LinuxException;

    /** setsockopt(2) with an int at level SOL_SOCKET. */
    void setSocketOption(int fd, int option, int value) throws LinuxException;

    /**
     * Bounds how long a send may block (SO_SNDTIMEO): then it fails with EAGAIN, or returns what
     * has gone so far.
     *
     * @param millis at least 1
     */
    void setSendTimeout(int fd, int millis) throws LinuxException;

    /** getsockopt(2) of an int at level SOL_SOCKET. */
    int getSocketOption(int fd, int option) throws LinuxException;

    /** memfd_create(2) with MFD_CLOEXEC added. */
    int memfdCreate(String name, int flags) throws LinuxException;

    /** ftruncate(2). */
    void ftruncate(int fd, long size) throws LinuxException;

    /** What the kernel says of an open file. */
    FileStatus fstat(int fd) throws LinuxException;

    /** getrlimit(2) of this process. */
    ResourceLimit getrlimit(int resource) throws LinuxException;

    /** setrlimit(2) of this process. */
    void setrlimit(int resource, ResourceLimit limit) throws LinuxException;

    /** chmod(2). */
    void chmod(String path, int mode) throws LinuxException;

    /** fchmod(2); on a socket that is not yet bound it sets the mode that bind gives the path. */
    void fchmod(int fd, int mode) throws LinuxException;

    /** A copy of the descriptor (F_DUPFD_CLOEXEC). */
    int dup(int fd) throws LinuxException;

    /** fcntl(2) with an int. */
    int fcntl(int fd, int command, int argument) throws LinuxException;

    /** unlink(2). */
    void unlink(String path) throws LinuxException;

    /** Process id of this JVM. */
    int getpid();

    /** Effective user of this JVM. */
    int geteuid();

    /** Bytes of a page. */
    int pageSize();
}
