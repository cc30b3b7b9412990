package org.ringside.verbs.cm.ib;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Access;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.Gid;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.VerbsObject;
import org.ringside.verbs.WcStatus;

/**
 * QP 1 of a port: management datagrams to and from others. What finds no room is lost, as datagrams
 * may be.
 *
 * <p>Threading: {@link #await} and {@link #receive} belong to one thread, {@link #send} to any.
 */
final class GsiPort {
    /** The Q_Key of QP 1 (IBTA 10.2.5). */
    private static final int QKEY = 0x8001_0000;

    private static final int QP = 1;
    private static final int RECEIVES = 128;
    private static final int SENDS = 64;
    private static final int RECEIVE_SIZE = RouteHeader.SIZE + Mad.SIZE;
    private static final int HANDLES = 256;
    private static final int HOP_LIMIT = 64;
    private static final long DRAIN_NANOS = 100_000_000;

    /** A message that came. */
    record Received(Mad mad, Gid from, Gid to) {}

    private final int number;
    private final ArrayDeque<VerbsObject> made = new ArrayDeque<>();
    private final ProtectionDomain pd;
    private final CompletionChannel channel;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final QueuePair qp;
    private final MemoryRegion mr;
    private final MemorySegment memory;
    private final ArrayDeque<Long> freeSends = new ArrayDeque<>();

    /** Those used last come last. */
    private final LinkedHashMap<Route, AddressHandle> handles =
            new LinkedHashMap<>(16, 0.75f, true);

    /** Guards the queues, and whether they are there. No verb that takes a lock is called in it. */
    private final Object queues = new Object();

    private boolean up;
    private boolean closed;

    GsiPort(Context context, int number) throws VerbsException {
        this.number = number;
        try {
            pd = keep(context.createPd());
            channel = keep(context.createCompletionChannel(0));
            sendCq = keep(context.createCq(SENDS));
            recvCq = keep(context.createCq(RECEIVES, channel));
            qp =
                    keep(
                            pd.createQp(
                                    new QpOptions(sendCq, recvCq)
                                            .type(QpType.GSI)
                                            .sendWrs(SENDS)
                                            .recvWrs(RECEIVES)));
            DeviceBuffer buffer =
                    keep(context.allocate(RECEIVES * RECEIVE_SIZE + SENDS * Mad.SIZE));
            memory = buffer.memory();
            mr = keep(pd.register(buffer, EnumSet.of(Access.LOCAL_WRITE)));
            qp.startDatagrams(number, QKEY);
        } catch (VerbsException e) {
            close();
            throw e;
        }
        for (long i = 0; i < SENDS; i++) {
            freeSends.add(i);
        }
        recvCq.requestNotify(false);
        for (long i = 0; i < RECEIVES; i++) {
            post(i);
        }
        up = true;
    }

    private <T extends VerbsObject> T keep(T object) {
        made.push(object);
        return object;
    }

    /**
     * Finds the way to somebody, which may ask the network.
     *
     * @throws VerbsException ETIMEDOUT when nobody answers there
     */
    void prepare(Route route) throws VerbsException {
        handle(route);
    }

    private AddressHandle handle(Route route) throws VerbsException {
        synchronized (handles) {
            AddressHandle known = handles.get(route);
            if (known != null) {
                return known;
            }
        }
        AddressHandle made =
                pd.createAh(
                        number,
                        new AddressVector(
                                0, route.peer(), route.gidIndex(), null, 0, 0, 0, HOP_LIMIT));
        AddressHandle old;
        synchronized (handles) {
            old = handles.putIfAbsent(route, made);
            if (old == null && handles.size() > HANDLES) {
                Map.Entry<Route, AddressHandle> oldest = handles.firstEntry();
                handles.remove(oldest.getKey());
                old = oldest.getValue();
            } else if (old != null) {
                AddressHandle first = old;
                old = made;
                made = first;
            }
        }
        if (old != null) {
            old.close();
        }
        return made;
    }

    /**
     * Sends a message, or loses it when the queue is full.
     *
     * @throws VerbsException when there is no way to the peer
     */
    void send(Mad mad, Route route) throws VerbsException {
        AddressHandle handle = handle(route);
        synchronized (queues) {
            if (closed) {
                return;
            }
            reclaim();
            Long free = freeSends.poll();
            if (free == null) {
                return;
            }
            long at = (long) RECEIVES * RECEIVE_SIZE + free * Mad.SIZE;
            MemorySegment.copy(mad.array(), 0, memory, ValueLayout.JAVA_BYTE, at, Mad.SIZE);
            qp.start();
            qp.wrId(free).flags(SendFlags.SIGNALED);
            qp.send();
            qp.to(handle, QP, QKEY);
            qp.sge(mr.lkey(), mr.address() + at, Mad.SIZE);
            if (qp.submit() != PostResult.POSTED) {
                freeSends.add(free);
            }
        }
    }

    private void reclaim() {
        while (sendCq.startPoll()) {
            freeSends.add(sendCq.wrId());
            sendCq.endPoll();
        }
    }

    /** Gives what was posted the time to go out. */
    private void drain() {
        long end = System.nanoTime() + DRAIN_NANOS;
        while (freeSends.size() < SENDS && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
            reclaim();
        }
    }

    /** Waits until something may have come. */
    void await(Duration timeout) throws InterruptedException {
        CompletionQueue came = channel.await(timeout);
        synchronized (queues) {
            if (came != null && !closed) {
                recvCq.requestNotify(false);
            }
        }
    }

    /** Takes the next message; null when there is none, or the port is closed. */
    @Nullable Received receive() {
        synchronized (queues) {
            while (!closed && recvCq.startPoll()) {
                long slot = recvCq.wrId();
                boolean good =
                        recvCq.status() == WcStatus.SUCCESS
                                && recvCq.byteLength() == RECEIVE_SIZE
                                && recvCq.hasGrh();
                recvCq.endPoll();
                Received received = good ? read(slot * RECEIVE_SIZE) : null;
                post(slot);
                if (received != null) {
                    return received;
                }
            }
            return null;
        }
    }

    private @Nullable Received read(long at) {
        RouteHeader header = RouteHeader.read(memory.asSlice(at, RouteHeader.SIZE));
        byte[] bytes =
                memory.asSlice(at + RouteHeader.SIZE, Mad.SIZE).toArray(ValueLayout.JAVA_BYTE);
        return new Received(Mad.received(bytes), header.source(), header.destination());
    }

    private void post(long slot) {
        qp.postRecv(slot, mr.lkey(), mr.address() + slot * RECEIVE_SIZE, RECEIVE_SIZE);
    }

    /** Closes all that it made. */
    void close() throws VerbsException {
        synchronized (queues) {
            if (up && !closed) {
                drain();
            }
            closed = true;
        }
        synchronized (handles) {
            for (AddressHandle each : handles.values()) {
                each.close();
            }
            handles.clear();
        }
        while (!made.isEmpty()) {
            made.pop().close();
        }
    }
}
