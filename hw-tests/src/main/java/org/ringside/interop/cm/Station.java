package org.ringside.interop.cm;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpTransitions;
import org.ringside.verbs.QpType;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.WcOpcode;
import org.ringside.verbs.WcStatus;

/** A QP with its memory and queues. */
final class Station implements AutoCloseable {
    private static final int WRS = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final ProtectionDomain pd;
    final QueuePair qp;
    final MemorySegment memory;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final DeviceBuffer buffer;
    private final MemoryRegion mr;

    /** If a step fails the context's close gives back the earlier ones. */
    Station(Context context, QpType type, long bytes) throws VerbsException {
        pd = context.createPd();
        sendCq = context.createCq(WRS);
        recvCq = context.createCq(WRS);
        qp = pd.createQp(new QpOptions(sendCq, recvCq).type(type).sendWrs(WRS).recvWrs(WRS));
        buffer = context.allocate(bytes);
        memory = buffer.memory();
        mr = pd.register(buffer, EnumSet.allOf(Access.class));
    }

    /** So that receives can be posted before the peer knows of the QP. */
    void init() throws VerbsException {
        qp.toInit(new QpTransitions.ToInit(1, 0, EnumSet.allOf(Access.class)));
    }

    int lkey() {
        return mr.lkey();
    }

    int rkey() {
        return mr.rkey();
    }

    long address(long offset) {
        return memory.address() + offset;
    }

    void receive(long offset, int length) {
        posted(qp.postRecv(offset, lkey(), address(offset), length));
    }

    void send(long offset, int length) {
        posted(qp.postSend(offset, SendFlags.SIGNALED, lkey(), address(offset), length));
    }

    /** The send that was posted last has ended well. */
    void sent() {
        await(sendCq);
        sendCq.endPoll();
    }

    /** A message came; tells its length and, for a datagram, who sent it. */
    Arrival received() {
        await(recvCq);
        if (recvCq.opcode() != WcOpcode.RECV) {
            throw new IllegalStateException("a receive completed as " + recvCq.opcode());
        }
        Arrival arrival =
                new Arrival(
                        recvCq.wrId(), recvCq.byteLength(), recvCq.immediate(), recvCq.sourceQp());
        recvCq.endPoll();
        return arrival;
    }

    /** What came: offset of its receive, bytes, immediate data, QP that sent a datagram. */
    record Arrival(long offset, long length, int immediate, int sourceQp) {}

    private static void await(CompletionQueue cq) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!cq.startPoll()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        cq + ": no completion within " + PATIENCE.toSeconds() + " s");
            }
            Thread.onSpinWait();
        }
        if (cq.status() != WcStatus.SUCCESS) {
            throw new IllegalStateException(
                    "work request 0x%x ended with %s".formatted(cq.wrId(), cq.status()));
        }
    }

    static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new IllegalStateException("a work request was not taken: " + result);
        }
    }

    @Override
    public void close() throws VerbsException {
        qp.close();
        mr.close();
        buffer.close();
        sendCq.close();
        recvCq.close();
        pd.close();
    }
}
