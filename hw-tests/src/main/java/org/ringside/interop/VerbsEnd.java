package org.ringside.interop;

import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;

/** An end that is a QP of a device. */
final class VerbsEnd implements End {
    /** Two seconds, seven times: the peer may be a program in a machine that is interpreted. */
    private static final int TIMEOUT = 19;

    private final ProtectionDomain pd;
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final QueuePair qp;
    private final DeviceBuffer buffer;
    private final MemoryRegion mr;
    private final MemorySegment memory;
    private final Endpoint endpoint;
    private final int gidIndex;

    /** If a step fails the context's close gives back the earlier ones. */
    VerbsEnd(Context context, int gidIndex) throws VerbsException {
        pd = context.createPd();
        sendCq = context.createCq(2 * Plan.WINDOW);
        recvCq = context.createCq(2 * Plan.RECEIVES);
        qp =
                pd.createQp(
                        new QpOptions(sendCq, recvCq)
                                .sendWrs(Plan.WINDOW)
                                .recvWrs(2 * Plan.RECEIVES));
        buffer = context.allocate(Plan.BYTES);
        mr = pd.register(buffer, EnumSet.allOf(Access.class));
        memory = buffer.memory();
        Plan.prepare(memory);
        endpoint = qp.endpoint(1, gidIndex);
        this.gidIndex = gidIndex;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public int rkey() {
        return mr.rkey();
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public void connect(Endpoint peer) throws VerbsException {
        qp.connect(
                peer,
                new ConnectOptions()
                        .mtu(Mtu.MTU_1024)
                        .gidIndex(gidIndex)
                        .timeout(TIMEOUT)
                        .rdAtomic(Plan.READS_AND_ATOMICS));
    }

    @Override
    public void receive(int slot) {
        posted(
                qp.postRecv(
                        slot,
                        mr.lkey(),
                        memory.address() + Plan.RECEIVED + (long) slot * Plan.SLOT,
                        Plan.SLOT));
    }

    @Override
    public void request(Request request) {
        int rkey = request.rkey();
        long to = request.remoteAddress();
        qp.start();
        qp.wrId(request.id()).flags(SendFlags.SIGNALED);
        switch (request.kind()) {
            case SEND_IMMEDIATE -> qp.sendImm(request.id());
            case WRITE -> qp.write(rkey, to);
            case WRITE_IMMEDIATE -> qp.writeImm(rkey, to, request.id());
            case READ, READ_BACK -> qp.read(rkey, to);
            case FETCH_ADD -> qp.fetchAdd(rkey, to, request.swapOrAdd());
            case COMPARE_SWAP -> qp.compareSwap(rkey, to, request.compare(), request.swapOrAdd());
        }
        qp.sge(mr.lkey(), memory.address() + request.offset(), request.length());
        posted(qp.submit());
    }

    private static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new IllegalStateException("a work request was not taken: " + result);
        }
    }

    @Override
    public int poll(Completions to) {
        int work = 0;
        if (sendCq.startPoll()) {
            do {
                to.sent((int) sendCq.wrId(), sendCq.status());
                work++;
            } while (sendCq.nextPoll());
            sendCq.endPoll();
        }
        if (recvCq.startPoll()) {
            do {
                to.received(
                        (int) recvCq.wrId(),
                        recvCq.status(),
                        recvCq.byteLength(),
                        recvCq.immediate());
                work++;
            } while (recvCq.nextPoll());
            recvCq.endPoll();
        }
        if (work == 0) {
            Thread.onSpinWait();
        }
        return work;
    }

    @Override
    public String toString() {
        return qp.toString();
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
