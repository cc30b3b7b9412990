package org.ringside.interop;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.Memory;
import org.ringside.roce.QpOwner;
import org.ringside.roce.ReceiveRequest;
import org.ringside.roce.ReceiveSource;
import org.ringside.roce.Received;
import org.ringside.roce.RoceQp;
import org.ringside.roce.SendRequest;
import org.ringside.roce.SendSource;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Service;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/**
 * The traffic of rdma-core's pingpong programs: one message there, one back. The stock programs
 * send from the buffer that they receive into, so what comes back must be what went last; each
 * message of ours is another one.
 *
 * <p>All of it on the agent's thread but {@link #result}.
 */
final class PingPong implements QpOwner, SendSource, ReceiveSource {
    private static final int GRH = 40;
    private static final int RECEIVES = 64;
    private static final byte STOCK_FILL = 0x7b;

    private final CompletableFuture<Long> result = new CompletableFuture<>();
    private final Service service;
    private final int size;
    private final int iterations;
    private final int pd;
    private final int headroom;
    private final MemorySegment outgoing;
    private final MemorySegment incoming;
    private final int key;
    private final int incomingKey;
    private @Nullable Flow flow;
    private int peerQp;
    private int qkey;
    private int receivesFree = RECEIVES;
    private boolean sendPosted;
    private boolean sendPending;
    private boolean receivePending = true;
    private int sends;
    private int sent;
    private int received;
    private long started;

    PingPong(MemoryTable memory, int pd, Service service, int size, int iterations) {
        this.service = service;
        this.size = size;
        this.iterations = iterations;
        this.pd = pd;
        headroom = service == Service.UD ? GRH : 0;
        outgoing = Arena.ofAuto().allocate(Math.max(size, 1), 4096);
        incoming = Arena.ofAuto().allocate((long) size + headroom, 4096);
        key = memory.register(pd, outgoing, outgoing.address(), Memory.LOCAL_WRITE);
        incomingKey = memory.register(pd, incoming, incoming.address(), Memory.LOCAL_WRITE);
        outgoing.fill(STOCK_FILL);
    }

    int pd() {
        return pd;
    }

    /** Nanoseconds that all iterations took, or why they did not end. */
    CompletableFuture<Long> result() {
        return result;
    }

    /** Releases the keys. */
    void release(MemoryTable memory) {
        memory.release(key);
        memory.release(incomingKey);
    }

    /** UD: whom to send to. */
    void datagramsTo(Flow to, int qp, int withQkey) {
        flow = to;
        peerQp = qp;
        qkey = withQkey;
    }

    /** Starts the clock; the client sends first. */
    void start(RoceQp qp, boolean client) {
        started = System.nanoTime();
        if (client) {
            post(qp);
        }
    }

    private void post(RoceQp qp) {
        if (size >= Long.BYTES) {
            outgoing.fill((byte) sends);
            outgoing.set(JAVA_LONG, 0, sends);
        }
        sends++;
        sendPosted = true;
        sendPending = true;
        receivePending = true;
        qp.kick();
    }

    @Override
    public boolean next(SendRequest into) {
        if (!sendPosted) {
            return false;
        }
        sendPosted = false;
        into.clear();
        into.id = sends;
        into.kind = SendRequest.Kind.SEND;
        into.sges().add(key, outgoing.address(), size);
        into.flow = flow;
        into.destinationQp = peerQp;
        into.qkey = qkey;
        return true;
    }

    @Override
    public boolean next(ReceiveRequest into) {
        if (receivesFree == 0) {
            return false;
        }
        receivesFree--;
        into.clear();
        into.sges().add(incomingKey, incoming.address(), incoming.byteSize());
        return true;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void sendDone(RoceQp qp, SendRequest request, WcStatus status) {
        if (status != WcStatus.SUCCESS) {
            fail("send " + request.id + " ended with " + status);
            return;
        }
        sent++;
        sendPending = false;
        next(qp);
    }

    @Override
    public void receiveDone(RoceQp qp, ReceiveRequest request, WcStatus status, Received what) {
        if (status != WcStatus.SUCCESS) {
            fail("receive " + received + " ended with " + status);
            return;
        }
        if (what.byteLength != (long) size + headroom) {
            fail("message %d has %d bytes".formatted(received, what.byteLength));
        }
        if (incoming.asSlice(headroom).mismatch(outgoing.asSlice(0, size)) >= 0 && size > 0) {
            fail(
                    "message %d is not what was sent last, it begins with 0x%x"
                            .formatted(received, incoming.get(JAVA_BYTE, headroom)));
        }
        received++;
        receivesFree++;
        receivePending = false;
        next(qp);
    }

    private void next(RoceQp qp) {
        if (sent >= iterations && received >= iterations) {
            result.complete(System.nanoTime() - started);
        } else if (!sendPending && !receivePending && sent < iterations) {
            post(qp);
        }
    }

    private void fail(String why) {
        result.completeExceptionally(new IllegalStateException(service + " pingpong: " + why));
    }

    @Override
    public void stateChanged(RoceQp qp, QpState state) {
        fail("the QP went to " + state);
    }

    @Override
    public void event(RoceQp qp, Event event) {
        if (event != Event.COMMUNICATION_ESTABLISHED) {
            fail("event " + event);
        }
    }
}
