package org.ringside.emulator.server;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.ringside.emulator.device.DeviceAgent;
import org.ringside.emulator.device.DmaFault;
import org.ringside.emulator.device.ResetCause;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.PollSet;
import org.ringside.linux.SystemCalls;
import org.ringside.vfio.user.Capabilities;
import org.ringside.vfio.user.Command;
import org.ringside.vfio.user.Header;
import org.ringside.vfio.user.Message;
import org.ringside.vfio.user.MessageSocket;
import org.ringside.vfio.user.ProtocolException;

/**
 * One client, from accept to the end of its connection. Requests are handled in order, on the
 * agent's thread.
 *
 * <p>A request that cannot be granted gets an error reply and the session goes on. It ends when the
 * stream cannot be trusted any more: a bad size, a reply that nobody asked for, anything but
 * VERSION at first.
 */
final class Session {
    /** Bytes of data in one message. */
    static final int MAX_DATA = 1 << 20;

    /** Descriptors beside one message, as we tell the client. */
    static final int MAX_FDS = 16;

    /** Region indices: six BARs, ROM, configuration space, VGA. */
    static final int REGIONS = 9;

    private static final Logger LOG = System.getLogger(Session.class.getName());
    private static final int MAX_MESSAGE = MAX_DATA + 4096;
    private static final int SMALL = 4096;
    private static final int POOL_LIMIT = 64;

    /**
     * Bytes that wait for the agent before the socket thread stops reading, and the client has to
     * wait.
     */
    private static final long MAX_QUEUED = 8L << 20;

    /** The same while the agent itself waits for the client: then reading must go on. */
    private static final long MAX_QUEUED_IN_DMA = 256L << 20;

    private static final int FIRST_MESSAGE_MILLIS = 5_000;
    private static final long DMA_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * How long the agent, which serves other functions too, waits for a client to read. Far beyond
     * what a client needs whose machine is busy.
     */
    static final int SEND_MILLIS = 10_000;

    private static final int MAX_WARNINGS = 100;

    private final SystemCalls calls;
    private final int fd;
    private final MessageSocket socket;
    private final BusFunction bus;
    private final DeviceAgent agent;
    private final DmaChannel channel;
    private final InfoCommands info;
    private final DmaCommands dma;
    private final IrqCommands irqs;
    private final RegionCommands regions;
    private final ConcurrentLinkedQueue<Message> pool = new ConcurrentLinkedQueue<>();
    private final AtomicLong queued = new AtomicLong();
    private volatile @Nullable Thread throttled;

    // The agent's.
    private final Message reply = new Message(SMALL);
    private boolean negotiated;

    private final AtomicInteger warnings = new AtomicInteger();
    private volatile boolean ended;

    /**
     * Takes over the socket of a client.
     *
     * @param sendMillis how long a client may leave a message unread
     */
    Session(SystemCalls calls, int fd, BusFunction bus, DeviceAgent agent, int sendMillis)
            throws LinuxException {
        this.calls = calls;
        this.fd = fd;
        this.socket = MessageSocket.impatient(calls, fd, MAX_MESSAGE, sendMillis);
        this.bus = bus;
        this.agent = agent;
        this.channel = new DmaChannel(socket, this, DMA_TIMEOUT_NANOS);
        this.info = new InfoCommands(bus);
        this.dma = new DmaCommands(bus, channel);
        this.irqs = new IrqCommands(bus);
        this.regions = new RegionCommands(bus);
    }

    /**
     * Serves the client until it has gone, on the socket thread. The function is ready for the next
     * one then.
     */
    void run() {
        try {
            if (firstMessageComes()) {
                receiveAll();
            }
        } catch (IOException e) {
            warn("session ends: " + e.getMessage());
        } finally {
            channel.gone();
            try {
                agent.run(bus::clientLost);
            } finally {
                close();
            }
        }
    }

    /** Ends the session from any thread; {@link #run} returns soon. */
    void shutdown() {
        ended = true;
        socket.shutdown();
        unthrottle();
    }

    private void close() {
        try {
            socket.close();
        } catch (LinuxException e) {
            LOG.log(Level.DEBUG, "close of a client's socket", e);
        }
    }

    /** A client that connects and says nothing keeps others out. */
    private boolean firstMessageComes() throws LinuxException {
        if (new PollSet(calls, fd).await(FIRST_MESSAGE_MILLIS) == 0) {
            warn("session ends: no message within %d ms".formatted(FIRST_MESSAGE_MILLIS));
            return false;
        }
        return true;
    }

    private void receiveAll() throws LinuxException, ProtocolException {
        while (true) {
            Message message = take();
            if (!socket.receive(message)) {
                return;
            }
            int type = message.flags() & Header.TYPE_MASK;
            if (type == Header.TYPE_REQUEST) {
                submit(message);
            } else if (type == Header.TYPE_REPLY) {
                boolean stray = message.fds().length != 0;
                message.closeFds(calls);
                if (stray) {
                    throw new ProtocolException("descriptors beside " + message);
                }
                channel.complete(message);
            } else {
                message.closeFds(calls);
                throw new ProtocolException("neither request nor reply: " + message);
            }
        }
    }

    private void submit(Message message) throws ProtocolException {
        long waiting = queued.addAndGet(message.capacity());
        agent.submit(() -> handle(message));
        if (waiting > MAX_QUEUED_IN_DMA) {
            throw new ProtocolException("the client sends faster than the function works");
        }
        throttled = Thread.currentThread();
        while (queued.get() > MAX_QUEUED && !channel.isWaiting() && !ended) {
            LockSupport.park(this);
        }
        throttled = null;
    }

    /** Lets the socket thread look again whether it may read. */
    void unthrottle() {
        Thread reader = throttled;
        if (reader != null) {
            LockSupport.unpark(reader);
        }
    }

    private Message take() {
        Message message = pool.poll();
        return message == null ? new Message(SMALL) : message;
    }

    /** Gives a received message back. */
    void recycle(Message message) {
        if (message.capacity() <= SMALL + Header.SIZE && pool.size() < POOL_LIMIT) {
            pool.add(message);
        }
    }

    private void handle(Message request) {
        try {
            if (!ended) {
                answer(request);
            }
        } finally {
            queued.addAndGet(-request.capacity());
            request.closeFds(calls);
            recycle(request);
            unthrottle();
        }
    }

    private void answer(Message request) {
        int errno = 0;
        try {
            dispatch(request);
        } catch (RequestException e) {
            errno = e.errno();
            warn(request + " refused: " + e.getMessage());
        } catch (DmaFault e) {
            errno = Errno.EFAULT;
            warn(request + " failed: " + e.getMessage());
        } catch (RuntimeException e) {
            errno = Errno.EIO;
            LOG.log(Level.ERROR, bus.function().roleName() + ": " + request + " failed", e);
        }
        // Before the reply: who gets it can count on that.
        request.closeFds(calls);
        if (errno != 0) {
            reply.error(request.command(), request.id(), errno);
        }
        if ((request.flags() & Header.FLAG_NO_REPLY) == 0) {
            try {
                socket.send(reply);
            } catch (LinuxException e) {
                sendFailed(e);
            }
        }
        if (!negotiated && !ended) {
            end("the first message was not a good VERSION: " + request);
        }
    }

    private void dispatch(Message request) throws RequestException {
        Command command = Command.of(request.command());
        if (!negotiated && command != Command.VERSION) {
            throw RequestException.invalid("the first message must be VERSION");
        }
        boolean takesFds =
                command == Command.DMA_MAP
                        || command == Command.DMA_UNMAP
                        || command == Command.DEVICE_SET_IRQS;
        if (request.fds().length != 0 && !takesFds) {
            throw RequestException.invalid("it comes with descriptors");
        }
        switch (command) {
            case VERSION -> version(request);
            case DMA_MAP -> dma.map(request, reply);
            case DMA_UNMAP -> dma.unmap(request, reply, calls);
            case DEVICE_GET_INFO -> info.device(request, reply);
            case DEVICE_GET_REGION_INFO -> info.region(request, reply);
            case DEVICE_GET_REGION_IO_FDS -> info.regionIoFds(request, reply);
            case DEVICE_GET_IRQ_INFO -> info.irq(request, reply);
            case DEVICE_SET_IRQS -> irqs.set(request, reply);
            case REGION_READ -> regions.read(request, reply);
            case REGION_WRITE -> regions.write(request, reply);
            case REGION_WRITE_MULTI -> regions.writeMulti(request, reply);
            case DEVICE_RESET -> {
                exactPayload(request, 0);
                bus.reset(ResetCause.DEVICE);
                reply.reply(request.command(), request.id(), 0);
            }
            case DEVICE_FEATURE ->
                    throw new RequestException(Errno.ENOTTY, "there are no device features");
            case DMA_READ, DMA_WRITE ->
                    throw RequestException.invalid("the server sends it, not the client");
            case MIG_DATA_READ, MIG_DATA_WRITE ->
                    throw new RequestException(Errno.ENOTTY, "the device does not migrate");
            case null -> throw new RequestException(Errno.ENOSYS, "there is no such command");
        }
    }

    private void version(Message request) throws RequestException {
        if (negotiated) {
            throw RequestException.invalid("VERSION has been negotiated");
        }
        Capabilities client = VersionCommand.negotiate(request, reply);
        channel.limit(client.maxDataXferSize());
        negotiated = true;
    }

    /** A client that has gone is no surprise; one that does not read is told about, and dropped. */
    void sendFailed(LinuxException e) {
        if (e.errno() == Errno.ETIMEDOUT) {
            end(e.detail() + ": the client does not read");
        } else {
            LOG.log(Level.DEBUG, "the client has gone before its message", e);
        }
    }

    /** The stream cannot be trusted any more. On the agent's thread. */
    void end(String why) {
        warn("session ends: " + why);
        shutdown();
    }

    private void warn(String what) {
        int n = warnings.incrementAndGet();
        if (n < MAX_WARNINGS) {
            LOG.log(Level.WARNING, () -> bus.function().roleName() + ": " + what);
        } else if (n == MAX_WARNINGS) {
            LOG.log(
                    Level.WARNING,
                    () -> bus.function().roleName() + ": further bad requests are not logged");
        }
    }

    /** Refuses a payload that is too short to hold the fixed part. */
    static void minPayload(Message request, int size) throws RequestException {
        if (request.payloadSize() < size) {
            throw RequestException.invalid(
                    "%d bytes of payload, %d are the least".formatted(request.payloadSize(), size));
        }
    }

    /** Refuses a payload of another size. */
    static void exactPayload(Message request, int size) throws RequestException {
        if (request.payloadSize() != size) {
            throw RequestException.invalid(
                    "%d bytes of payload, there must be %d".formatted(request.payloadSize(), size));
        }
    }

    /** The argsz that a payload begins with; at least the size of the fixed part. */
    static long argsz(Message request, int size) throws RequestException {
        minPayload(request, size);
        long argsz = Integer.toUnsignedLong(request.getInt(0));
        if (argsz < size) {
            throw RequestException.invalid("argsz %d, %d is the least".formatted(argsz, size));
        }
        return argsz;
    }

    /** An index, if it is below the limit. */
    static int index(int index, int limit, String what) throws RequestException {
        if (index < 0 || index >= limit) {
            throw RequestException.invalid(
                    "there is no %s %s".formatted(what, Integer.toUnsignedString(index)));
        }
        return index;
    }
}
