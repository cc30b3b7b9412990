package org.ringside.emulator.server;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.DmaFault.Reason;
import org.ringside.linux.LinuxException;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Header;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.MessageSocket;
import org.ringside.vfio.user.Payload.DmaAccess;
import org.ringside.vfio.user.ProtocolException;

/**
 * Reads and writes memory of the client by messages to it. One request at a time; the agent's
 * thread waits, the socket thread brings the reply.
 */
final class DmaChannel {
    private static final long SPIN_NANOS = 20_000;

    private final MessageSocket socket;
    private final Session session;
    private final long timeoutNanos;
    private final Message request = new Message(DmaAccess.SIZE + 4096);
    private int maxData;
    private int id;

    /** The thread that waits for a reply, else null. */
    private volatile @Nullable Thread waiter;

    private volatile @Nullable Message reply;
    private volatile boolean gone;

    DmaChannel(MessageSocket socket, Session session, long timeoutNanos) {
        this.socket = socket;
        this.session = session;
        this.timeoutNanos = timeoutNanos;
        this.maxData = Session.MAX_DATA;
    }

    /** Bytes that the client takes in one message. */
    void limit(int maxDataXferSize) {
        maxData = Math.min(maxDataXferSize, Session.MAX_DATA);
    }

    void read(long iova, MemorySegment into, long at, long length) {
        for (long done = 0; done < length; ) {
            int n = (int) Math.min(length - done, maxData);
            request.request(Command.DMA_READ, id, DmaAccess.SIZE);
            Message data = exchange(iova + done, n, DmaAccess.SIZE + n, false);
            MemorySegment.copy(data.memory(), Message.at(DmaAccess.DATA), into, at + done, n);
            session.recycle(data);
            done += n;
        }
    }

    void write(long iova, MemorySegment from, long at, long length) {
        for (long done = 0; done < length; ) {
            int n = (int) Math.min(length - done, maxData);
            request.request(Command.DMA_WRITE, id, DmaAccess.SIZE + n);
            MemorySegment.copy(from, at + done, request.memory(), Message.at(DmaAccess.DATA), n);
            session.recycle(exchange(iova + done, n, DmaAccess.SIZE, true));
            done += n;
        }
    }

    private Message exchange(long iova, int length, int replySize, boolean write) {
        request.putLong(DmaAccess.ADDRESS, iova).putLong(DmaAccess.COUNT, length);
        reply = null;
        waiter = Thread.currentThread();
        try {
            session.unthrottle();
            socket.send(request);
            Message answer = await();
            if (answer == null) {
                throw new DmaFault(Reason.CLIENT_GONE, iova, length, write);
            }
            if (answer.error() != 0) {
                session.recycle(answer);
                throw new DmaFault(Reason.FAILED, iova, length, write);
            }
            if (answer.payloadSize() != replySize
                    || answer.getLong(DmaAccess.ADDRESS) != iova
                    || answer.getLong(DmaAccess.COUNT) != length) {
                session.end(
                        "%s for %d bytes at 0x%x does not fit the request; QEMU before 11.1 has"
                                        .formatted(answer, length, iova)
                                + " another layout, use 11.1 or newer");
                throw new DmaFault(Reason.CLIENT_GONE, iova, length, write);
            }
            return answer;
        } catch (LinuxException e) {
            session.sendFailed(e);
            throw new DmaFault(Reason.CLIENT_GONE, iova, length, write);
        } finally {
            waiter = null;
            id = (id + 1) & 0xffff;
        }
    }

    private @Nullable Message await() {
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            while (true) {
                Message answer = reply;
                if (answer != null || gone) {
                    return answer;
                }
                long waited = System.nanoTime() - start;
                if (waited < SPIN_NANOS) {
                    Thread.onSpinWait();
                } else if (waited < timeoutNanos) {
                    LockSupport.parkNanos(this, timeoutNanos - waited);
                    interrupted |= Thread.interrupted();
                } else {
                    session.end(
                            "no reply to %s within %d ms"
                                    .formatted(
                                            request, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
                    return null;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the agent waits for the client. */
    boolean isWaiting() {
        return waiter != null;
    }

    /** A reply has come, on the socket thread; its message is this channel's from now on. */
    void complete(Message answer) throws ProtocolException {
        Thread waiting = waiter;
        if (waiting == null
                || reply != null
                || answer.id() != request.id()
                || answer.command() != request.command()
                || (answer.flags() & Header.FLAG_NO_REPLY) != 0) {
            throw new ProtocolException("nobody asked for " + answer);
        }
        reply = answer;
        LockSupport.unpark(waiting);
    }

    /** No reply will come any more. */
    void gone() {
        gone = true;
        Thread waiting = waiter;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }
}
