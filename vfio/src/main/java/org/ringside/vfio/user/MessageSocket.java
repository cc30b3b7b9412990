package org.ringside.vfio.user;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.ringside.linux.Abi;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.Received;
import org.ringside.linux.SystemCalls;

/**
 * Whole messages over a connected UNIX stream socket.
 *
 * <p>Threading: any thread sends, one message at a time; one thread receives. {@link #shutdown()}
 * from any thread ends both; {@link #close()} is for the receiving thread, or when there is none,
 * as a closed descriptor's number can be another file's.
 */
public final class MessageSocket implements AutoCloseable {
    private static final Logger LOG = System.getLogger(MessageSocket.class.getName());

    /** Bytes that one call hands to the kernel: the clock is looked at in between. */
    private static final int CHUNK = 64 << 10;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final SystemCalls calls;
    private final int fd;
    private final int maxMessageSize;
    private final int sendMillis;
    private final ReentrantLock sendLock = new ReentrantLock();
    private volatile boolean down;
    private final Object state = new Object();
    private boolean closed; // written under both locks

    /**
     * Takes over a connected socket.
     *
     * @param maxMessageSize larger ones, header and all, are a protocol error of the peer
     */
    public MessageSocket(SystemCalls calls, int fd, int maxMessageSize) {
        this(calls, fd, maxMessageSize, 0);
    }

    private MessageSocket(SystemCalls calls, int fd, int maxMessageSize, int sendMillis) {
        this.calls = calls;
        this.fd = fd;
        this.maxMessageSize = maxMessageSize;
        this.sendMillis = sendMillis;
    }

    /**
     * As the constructor, for a peer that is not waited for without end: one that does not take a
     * message within {@code sendMillis} loses the connection. A part of the message may be in the
     * peer's hands by then, so that the stream is of no more use.
     */
    public static MessageSocket impatient(
            SystemCalls calls, int fd, int maxMessageSize, int sendMillis) throws LinuxException {
        calls.setSendTimeout(fd, sendMillis);
        return new MessageSocket(calls, fd, maxMessageSize, sendMillis);
    }

    /**
     * Sends a message and the descriptors beside it; blocks while the peer does not read.
     *
     * @throws LinuxException EPIPE when the peer, or this side, has closed; ETIMEDOUT when an
     *     {@linkplain #impatient impatient} socket has waited long enough, and has been shut down
     */
    public void send(Message message) throws LinuxException {
        int size = message.size();
        sendLock.lock();
        try {
            if (closed) {
                throw new LinuxException("sendmsg", "closed socket", Errno.EPIPE);
            }
            long start = sendMillis == 0 ? 0 : System.nanoTime();
            MemorySegment first =
                    size <= CHUNK ? message.wire() : message.memory().asSlice(0, CHUNK);
            int sent =
                    message.fds().length == 0
                            ? calls.send(fd, first)
                            : calls.sendmsg(fd, first, message.fds());
            while (sent < size) {
                if (sendMillis != 0 && System.nanoTime() - start > sendMillis * NANOS_PER_MILLI) {
                    throw tooSlow(message);
                }
                int next = Math.min(size - sent, CHUNK);
                sent += calls.send(fd, message.memory().asSlice(sent, next));
            }
        } catch (LinuxException e) {
            throw e.errno() == Errno.EAGAIN && sendMillis != 0 ? tooSlow(message) : e;
        } finally {
            sendLock.unlock();
        }
    }

    private LinuxException tooSlow(Message message) {
        shutdown();
        return new LinuxException(
                "sendmsg",
                "the peer has not taken all of %s within %d ms".formatted(message, sendMillis),
                Errno.ETIMEDOUT);
    }

    /**
     * Receives the next message. Its descriptors are closed here when this fails.
     *
     * @return false when the peer closed between two messages, or this side did
     * @throws ProtocolException when the peer closed within a message, or sent a bad size
     */
    public boolean receive(Message into) throws LinuxException, ProtocolException {
        boolean good = false;
        into.closeFds(calls);
        try {
            if (!fill(into, 0, Header.SIZE)) {
                return false;
            }
            int size = into.size();
            if (size < Header.SIZE || size > maxMessageSize) {
                throw new ProtocolException(
                        "%s with a size of %s bytes, where 16 to %d are allowed"
                                .formatted(
                                        Command.nameOf(into.command()),
                                        Integer.toUnsignedString(size),
                                        maxMessageSize));
            }
            into.ensure(size);
            if (!fill(into, Header.SIZE, size)) {
                return false;
            }
            good = true;
            return true;
        } finally {
            if (!good) {
                into.closeFds(calls);
            }
        }
    }

    private boolean fill(Message into, int from, int to) throws LinuxException, ProtocolException {
        int at = from;
        while (at < to) {
            Received received;
            try {
                received =
                        calls.recvmsg(
                                fd,
                                into.memory().asSlice(at, to - at),
                                SystemCalls.MAX_MESSAGE_FDS);
            } catch (LinuxException e) {
                if (down) {
                    return false;
                }
                throw e;
            }
            into.addFds(received.fds());
            if (received.bytes() == 0) {
                if (at == 0 || down) {
                    return false;
                }
                throw new ProtocolException(
                        "the peer closed after %d bytes of a message".formatted(at));
            }
            at += received.bytes();
        }
        return true;
    }

    /** Ends the connection: the peer sees its end, and so do threads that send or receive here. */
    public void shutdown() {
        down = true;
        // Not under the lock for sending: a sender that blocks is to be freed.
        synchronized (state) {
            if (closed) {
                return;
            }
            try {
                calls.shutdown(fd, Abi.SHUT_RDWR);
            } catch (LinuxException e) {
                // ENOTCONN: the peer was faster.
                LOG.log(Level.DEBUG, "shutdown of a connection", e);
            }
        }
    }

    /** Whether this side has ended the connection. */
    public boolean isDown() {
        return down;
    }

    @Override
    public void close() throws LinuxException {
        shutdown();
        sendLock.lock();
        try {
            synchronized (state) {
                if (!closed) {
                    closed = true;
                    calls.close(fd);
                }
            }
        } finally {
            sendLock.unlock();
        }
    }
}
