package org.ringside.vfio.user;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.VfioException;
import org.ringside.vfio.backend.DeviceState;

/**
 * The client's end of the socket. Any thread makes requests, and waits for its own reply; one
 * thread receives, hands replies to those who wait and answers the server's requests at once, so
 * neither side ever waits for the other in a circle.
 */
final class Connection implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Connection.class.getName());

    /** Largest data of one message that we take from the server. */
    static final int MAX_DATA = 1 << 20;

    private static final int MAX_MESSAGE = MAX_DATA + 4096;

    private final SystemCalls calls;
    private final MessageSocket socket;
    private final DeviceState state;
    private final Duration timeout;
    private final DmaResponder responder;
    private final Thread reader;
    private final Exchange[] exchanges = new Exchange[Exchange.SLOTS];

    /** A monitor, since waiting for one makes no objects: a doorbell can be a request. */
    private final Object lock = new Object();

    private final ArrayDeque<Exchange> free = new ArrayDeque<>(Exchange.SLOTS); // guarded by lock

    /** Exchanges whose reply did not come in time, until it does; by slot. Guarded by lock. */
    private final boolean[] overdue = new boolean[Exchange.SLOTS];

    /** Why there is no connection any more. */
    private volatile @Nullable String end;

    /** Whether the peer has answered as a vfio-user server does; until then it may be anyone. */
    private volatile boolean opened;

    /** Takes over a connected socket. */
    Connection(
            SystemCalls calls,
            int fd,
            DeviceState state,
            Duration timeout,
            DmaResponder responder) {
        this.calls = calls;
        this.socket = new MessageSocket(calls, fd, MAX_MESSAGE);
        this.state = state;
        this.timeout = timeout;
        this.responder = responder;
        for (int i = 0; i < exchanges.length; i++) {
            exchanges[i] = new Exchange(i);
            free.add(exchanges[i]);
        }
        this.reader = new Thread(this::receiveAll, "vfio-user client " + state.name());
        reader.setDaemon(true);
    }

    void start() {
        reader.start();
    }

    /** The device is open: from now on a lost connection is news. */
    void opened() {
        opened = true;
    }

    /** An exchange for one request; {@link #end} gives it back. */
    Exchange begin() throws VfioException {
        synchronized (lock) {
            if (free.isEmpty()) {
                awaitFree();
            }
            return free.remove();
        }
    }

    /** Under the lock. */
    private void awaitFree() throws VfioException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (free.isEmpty()) {
            checkAlive("a request");
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new VfioException(
                        Errno.ETIMEDOUT,
                        "%s: %d requests are without reply; the server hangs, restart it"
                                .formatted(state.name(), Exchange.SLOTS));
            }
            try {
                lock.wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new VfioException(
                        Errno.EINTR, state.name() + ": interrupted before a request", e);
            }
        }
    }

    /** Gives an exchange back, whatever has become of it. */
    void end(Exchange exchange) {
        synchronized (lock) {
            if (!overdue[exchange.slot()]) {
                exchange.reply().closeFds(calls);
                free.add(exchange);
                lock.notify();
            }
        }
    }

    /**
     * Sends the exchange's request and waits for its good reply.
     *
     * @param minReply payload that a reply has at least
     * @throws VfioException with the server's errno when it refuses; when there is no reply
     */
    Message call(Exchange exchange, int minReply) throws VfioException {
        Message request = exchange.request();
        exchange.expect();
        send(request);
        // The connection may have ended before the exchange expected a reply.
        checkAlive(request);
        if (!exchange.await(timeout.toNanos()) && !becomeOverdue(exchange)) {
            throw new VfioException(
                    Errno.ETIMEDOUT,
                    "%s: no reply to %s within %d ms; %s"
                            .formatted(
                                    state.name(),
                                    name(request),
                                    timeout.toMillis(),
                                    request.command() == Command.VERSION.number()
                                            ? "the server serves another client (most take one at"
                                                    + " a time), or it hangs"
                                            : "the server hangs, or takes longer than it may"));
        }
        Message reply = exchange.reply();
        if (reply.id() != request.id() || reply.command() != request.command()) {
            checkAlive(request);
        }
        if (reply.error() != 0) {
            throw new VfioException(
                    reply.error(),
                    "%s: the server refused %s: %s"
                            .formatted(state.name(), name(request), Errno.describe(reply.error())));
        }
        if (reply.payloadSize() < minReply) {
            throw new VfioException(
                    Errno.EPROTO,
                    "%s: the reply to %s has %d bytes of payload, at least %d are due"
                            .formatted(state.name(), name(request), reply.payloadSize(), minReply));
        }
        return reply;
    }

    /** Sends a request that gets no reply. */
    void post(Exchange exchange) throws VfioException {
        send(exchange.request().flag(Header.FLAG_NO_REPLY));
    }

    private void send(Message request) throws VfioException {
        checkAlive(request);
        try {
            socket.send(request);
        } catch (LinuxException e) {
            lost("sending failed: " + e.getMessage());
            checkAlive(request);
        }
    }

    /** Takes an exchange out of use until its reply comes; false when that has just happened. */
    private boolean becomeOverdue(Exchange exchange) {
        synchronized (lock) {
            // Decided under the lock that the reader takes for late replies.
            if (exchange.isDone()) {
                return true;
            }
            overdue[exchange.slot()] = true;
            return false;
        }
    }

    private void checkAlive(Object what) throws VfioException {
        String why = end;
        if (why != null && !opened) {
            throw new VfioException(
                    Errno.EPROTO,
                    "%s: %s failed: %s. Is there a vfio-user server behind that socket?"
                            .formatted(
                                    state.name(), what instanceof Message m ? name(m) : what, why));
        }
        if (why != null) {
            throw new VfioException(
                    Errno.ENODEV,
                    "%s: %s failed, the device is lost: %s. Start the server again, then open the"
                                    .formatted(
                                            state.name(),
                                            what instanceof Message m ? name(m) : what,
                                            why)
                            + " device anew");
        }
    }

    private static String name(Message request) {
        return Command.nameOf(request.command());
    }

    private void receiveAll() {
        Message incoming = new Message(4096);
        String why = "the server closed the connection";
        try {
            while (socket.receive(incoming)) {
                if (incoming.isReply()) {
                    incoming = accept(incoming);
                } else {
                    responder.answer(incoming, socket);
                    incoming.closeFds(calls);
                }
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            why = "receiving failed: " + e;
            LOG.log(Level.ERROR, state.name() + ": receiving failed", e);
        } finally {
            incoming.closeFds(calls);
            lost(socket.isDown() ? "this side closed the connection" : why);
        }
    }

    private Message accept(Message reply) throws ProtocolException {
        Exchange exchange = exchanges[Exchange.slotOf(reply.id())];
        synchronized (lock) {
            if (!exchange.fits(reply)) {
                throw new ProtocolException("nobody asked for " + reply);
            }
            if (overdue[exchange.slot()]) {
                overdue[exchange.slot()] = false;
                reply.closeFds(calls);
                free.add(exchange);
                lock.notify();
                LOG.log(Level.WARNING, "{0}: late: {1}", state.name(), reply);
                return exchange.complete(reply);
            }
            return exchange.complete(reply);
        }
    }

    private void lost(String why) {
        synchronized (lock) {
            if (end == null) {
                end = why;
            }
            lock.notifyAll();
        }
        if (!state.isClosed()) {
            state.markLost(why, opened ? Level.WARNING : Level.DEBUG);
        }
        socket.shutdown();
        for (Exchange exchange : exchanges) {
            exchange.wake();
        }
    }

    /** Ends the connection and the thread that receives; requests under way fail. */
    @Override
    public void close() {
        socket.shutdown();
        boolean interrupted = false;
        while (reader.isAlive() && Thread.currentThread() != reader) {
            try {
                reader.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        lost("this side closed the connection");
        try {
            socket.close();
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "close of the socket", e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
