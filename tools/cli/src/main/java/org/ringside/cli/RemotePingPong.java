package org.ringside.cli;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.ServerSocket;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.QpType;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;

/**
 * One end of a ping-pong whose other end is a program of its own: this one, or rdma-core's {@code
 * ibv_rc_pingpong}, {@code ibv_uc_pingpong} or {@code ibv_ud_pingpong}. The client sends first and
 * verifies what comes back, which the server sends from the buffer that it came into.
 */
final class RemotePingPong implements AutoCloseable {
    private static final int PORT = 1;

    /** Of both ends of ibv_ud_pingpong. */
    private static final int QKEY = 0x1111_1111;

    private static final long HIGHEST_NANOS = Duration.ofMinutes(1).toNanos();

    private final Side side;
    private final long size;
    private final int gidIndex;
    private final Mtu mtu;
    private final Messages messages;
    private @Nullable AddressHandle handle;
    private int remoteQp;

    RemotePingPong(Context context, QpType type, long size, int gidIndex, Mtu mtu, Duration timeout)
            throws VerbsException {
        this.size = size;
        this.gidIndex = gidIndex;
        this.mtu = mtu;
        long most = context.port(PORT).activeMtu().bytes();
        if (type == QpType.UD && size > most) {
            throw new CommandFailedException(
                    "a datagram of %d bytes does not fit: the port's MTU is %d; give a smaller --size"
                            .formatted(size, most));
        }
        this.side = new Side(context, type, size);
        this.messages = new Messages(timeout, side);
    }

    /** Connects to the server at a host. */
    void call(String host, int port) throws IOException, VerbsException {
        Rendezvous.call(host, port, side.qp.endpoint(PORT, gidIndex), this::connect);
    }

    /**
     * Waits for a client and connects to it. What it sends may come at once, so there is a receive
     * before it knows of us.
     *
     * @return where it is
     */
    String answer(ServerSocket listener) throws IOException, VerbsException {
        return Rendezvous.answer(
                listener,
                side.qp.endpoint(PORT, gidIndex),
                peer -> {
                    connect(peer);
                    receive(0, side.target);
                });
    }

    private void connect(Endpoint peer) throws VerbsException {
        if (side.qp.type() == QpType.UD) {
            handle = side.pd.createAh(PORT, AddressVector.to(peer, gidIndex));
            remoteQp = peer.qpNumber();
            side.qp.startDatagrams(PORT, QKEY);
            return;
        }
        side.qp.connect(peer, new ConnectOptions().mtu(mtu).gidIndex(gidIndex));
    }

    /** Sends messages and verifies what comes back. */
    Measurement send(int iterations) {
        Histogram latency = new Histogram(HIGHEST_NANOS, 3);
        long nanos = 0;
        for (int i = 1; i <= iterations; i++) {
            Pattern.fill(side.source, i);
            receive(i, side.target);
            long start = System.nanoTime();
            send(i, side.source);
            messages.complete(side.sendCq, i);
            messages.complete(side.recvCq, i);
            long roundTrip = System.nanoTime() - start;
            nanos += roundTrip;
            latency.recordValue(Math.min(HIGHEST_NANOS, roundTrip / 2));
            Pattern.verify(side.target, i);
        }
        return new Measurement(latency, 2L * iterations, nanos);
    }

    /**
     * Sends messages back as they come. The next one has its buffer before this one goes, for the
     * client answers at once.
     */
    Measurement echo(int iterations) {
        Histogram latency = new Histogram(HIGHEST_NANOS, 3);
        long first = 0;
        long last = 0;
        MemorySegment now = side.target;
        MemorySegment next = side.source;
        for (int i = 0; i < iterations; i++) {
            messages.complete(side.recvCq, i);
            long arrived = System.nanoTime();
            if (i == 0) {
                first = arrived;
            } else {
                latency.recordValue(Math.min(HIGHEST_NANOS, (arrived - last) / 2));
            }
            last = arrived;
            if (i + 1 < iterations) {
                receive(i + 1, next);
            }
            send(i, now);
            messages.complete(side.sendCq, i);
            MemorySegment free = now;
            now = next;
            next = free;
        }
        return new Measurement(latency, 2L * (iterations - 1), last - first);
    }

    private void receive(long message, MemorySegment into) {
        side.receive(message, into);
    }

    private void send(long message, MemorySegment from) {
        AddressHandle to = handle;
        if (to != null) {
            side.qp.start();
            side.qp.wrId(message).flags(SendFlags.SIGNALED);
            side.qp.send();
            side.qp.to(to, remoteQp, QKEY);
            side.qp.sge(side.mr.lkey(), from.address(), size);
            Messages.posted(side.qp.submit());
            return;
        }
        Messages.posted(
                side.qp.postSend(
                        message, SendFlags.SIGNALED, side.mr.lkey(), from.address(), size));
    }

    @Override
    public void close() throws VerbsException {
        if (handle != null) {
            handle.close();
        }
        side.close();
    }
}
