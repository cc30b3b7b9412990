package org.ringside.interop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ringside.verbs.Access;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PostResult;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpTransitions.ToInit;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.VerbsObject;

/** One end of a case: objects made for it alone. */
final class ErrorEnd implements AutoCloseable {
    private static final int QUEUE = 16;
    private static final int ACK_TIMEOUT = 14;
    private static final int RETRIES = 2;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    /** In place of statuses: a work request that cannot be right is not taken. */
    private static final String REFUSED = "REFUSED";

    private final ErrorCase what;
    private final int gidIndex;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(ErrorCase.MEMORY, 4096);
    private final List<VerbsObject> objects = new ArrayList<>();
    private final CompletionQueue sendCq;
    private final CompletionQueue recvCq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final MemoryRegion offered;
    private boolean killed;

    /** If a step fails the context's close gives back the earlier ones. */
    ErrorEnd(Context context, int gidIndex, ErrorCase what, boolean requests)
            throws VerbsException {
        this.what = what;
        this.gidIndex = gidIndex;
        ProtectionDomain pd = kept(context.createPd());
        sendCq = kept(context.createCq(QUEUE));
        recvCq = kept(context.createCq(QUEUE));
        qp = kept(pd.createQp(new QpOptions(sendCq, recvCq).sendWrs(QUEUE).recvWrs(QUEUE)));
        MemorySegment part = memory.asSlice(0, ErrorCase.REGION);
        region = kept(pd.register(part, requests ? what.localAccess() : what.remoteAccess()));
        if (what.hasOtherPd()) {
            ProtectionDomain other = kept(context.createPd());
            offered = kept(other.register(part, EnumSet.allOf(Access.class)));
        } else {
            offered = region;
        }
    }

    private <T extends VerbsObject> T kept(T object) {
        objects.addFirst(object);
        return object;
    }

    Endpoint endpoint() throws VerbsException {
        return qp.endpoint(1, gidIndex);
    }

    long address() {
        return memory.address();
    }

    int rkey() {
        return offered.rkey();
    }

    /** As far as a QP gets that does not answer yet. */
    void init() throws VerbsException {
        qp.toInit(new ToInit(1, 0, what.qpAccess()));
    }

    void connect(Endpoint peer) throws VerbsException {
        qp.connect(
                peer,
                new ConnectOptions()
                        .mtu(Mtu.MTU_1024)
                        .gidIndex(gidIndex)
                        .timeout(ACK_TIMEOUT)
                        .retryCount(RETRIES)
                        .rnrRetry(RETRIES)
                        .access(what.qpAccess()));
    }

    /** What a responder has to receive. */
    void receive() {
        for (int i = 0; i < what.receives(); i++) {
            posted(
                    qp.postRecv(
                            i,
                            what.receiveLkey(region.lkey()),
                            memory.address() + ErrorCase.RECEIVE,
                            what.receiveLength()));
        }
    }

    /** Posts the requests and waits for what becomes of them, if they are taken. */
    String request(long remoteAddress, int remoteKey) {
        int rkey = what.rkey(remoteKey);
        long to = remoteAddress + what.remote();
        qp.start();
        for (int i = 0; i < ErrorCase.REQUESTS; i++) {
            qp.wrId(i).flags(SendFlags.SIGNALED);
            switch (what.operation()) {
                case "send" -> qp.send();
                case "send_imm" -> qp.sendImm(i);
                case "write" -> qp.write(rkey, to);
                case "write_imm" -> qp.writeImm(rkey, to, i);
                case "read" -> qp.read(rkey, to);
                case "faa" -> qp.fetchAdd(rkey, to, 1);
                case "cas" -> qp.compareSwap(rkey, to, 0, 1);
                default -> throw new IllegalArgumentException("operation " + what.operation());
            }
            qp.sge(what.lkey(region.lkey()), memory.address() + what.local(), what.length());
        }
        PostResult result = qp.submit();
        if (result != PostResult.POSTED) {
            return REFUSED;
        }
        List<String> statuses = new ArrayList<>();
        long deadline = System.nanoTime() + PATIENCE;
        while (statuses.size() < ErrorCase.REQUESTS && System.nanoTime() - deadline < 0) {
            drain(sendCq, statuses);
            Thread.onSpinWait();
        }
        return String.join(",", statuses);
    }

    private static void posted(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new IllegalStateException("a work request was not taken: " + result);
        }
    }

    private static void drain(CompletionQueue cq, List<String> statuses) {
        if (cq.startPoll()) {
            do {
                statuses.add(Integer.toString(cq.status().ordinal()));
            } while (cq.nextPoll());
            cq.endPoll();
        }
    }

    /** State of the QP, and what became of receives. */
    String look() throws VerbsException {
        List<String> statuses = new ArrayList<>();
        drain(recvCq, statuses);
        return "state=%s received=%s"
                .formatted(killed ? "GONE" : qp.queryState(), String.join(",", statuses));
    }

    void fail() throws VerbsException {
        qp.toErr();
    }

    void kill() throws VerbsException {
        killed = true;
        qp.close();
    }

    @Override
    public void close() throws VerbsException {
        for (VerbsObject object : objects) {
            object.close();
        }
        arena.close();
    }
}
