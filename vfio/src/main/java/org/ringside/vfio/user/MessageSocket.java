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

    private final SystemCalls calls;
    private final int fd;
    private final int maxMessageSize;
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
        this.calls = calls;
        this.fd = fd;
        this.maxMessageSize = maxMessageSize;
    }

    /**
     * Sends a message and the descriptors beside it; blocks while the peer does not read.
     *
     * @throws LinuxException EPIPE when the peer, or this side, has closed
     */
    public void send(Message message) throws LinuxException {
        int size = message.size();
        sendLock.lock();
        try {
            if (closed) {
                throw new LinuxException("sendmsg", "closed socket", Errno.EPIPE);
            }
            MemorySegment rest = message.wire();
            int sent =
                    message.fds().length == 0
                            ? calls.send(fd, rest)
                            : calls.sendmsg(fd, rest, message.fds());
            while (sent < size) {
                sent += calls.send(fd, message.memory().asSlice(sent, size - sent));
            }
        } finally {
            sendLock.unlock();
        }
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
