package org.ringside.interop;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.ringside.roce.Connection;
import org.ringside.roce.Memory;
import org.ringside.roce.QpOptions;
import org.ringside.roce.QpOwner;
import org.ringside.roce.ReceiveRequest;
import org.ringside.roce.ReceiveSource;
import org.ringside.roce.Received;
import org.ringside.roce.RoceQp;
import org.ringside.roce.SendAttributes;
import org.ringside.roce.SendRequest;
import org.ringside.roce.SendSource;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Service;
import org.ringside.roce.port.Port;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.QpState;
import org.ringside.verbs.WcStatus;

/** An end that is a QP of the RoCEv2 transport, on a wire that its user's thread drives. */
final class RoceEnd implements End, QpOwner, SendSource, ReceiveSource {
    private static final int PD = 1;
    private static final int MTU = 1024;
    private static final int RETRIES = 7;
    private static final int RNR_TIMER = 12;
    private static final int RIGHTS =
            Memory.LOCAL_WRITE | Memory.REMOTE_READ | Memory.REMOTE_WRITE | Memory.REMOTE_ATOMIC;

    private record Completion(
            boolean received, int id, WcStatus status, long bytes, int immediate) {}

    private final Wire wire;
    private final Port port;
    private final int gidIndex;
    private final int timeout;
    private final Endpoint endpoint;
    private final MemorySegment memory;
    private final int key;
    private final RoceQp qp;
    private final Deque<Request> requests = new ArrayDeque<>();
    private final Deque<Integer> receives = new ArrayDeque<>();
    private final Deque<Completion> completions = new ArrayDeque<>();
    private long peerMac;

    /**
     * @param wire drives the port
     * @param timeout of an ACK, as in {@link SendAttributes}
     */
    RoceEnd(Wire wire, Port port, MemoryTable keys, int gidIndex, Endpoint endpoint, int timeout) {
        this.wire = wire;
        this.port = port;
        this.gidIndex = gidIndex;
        this.endpoint = endpoint;
        this.timeout = timeout;
        memory = Arena.ofAuto().allocate(Plan.BYTES, 4096);
        Plan.prepare(memory);
        key = keys.register(PD, memory, memory.address(), RIGHTS);
        QpOptions options = QpOptions.of(endpoint.qpNumber(), Service.RC, PD);
        qp = port.transport().create(options, this, this, this);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public int rkey() {
        return key;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public void connect(Endpoint peer) throws IOException {
        Gid gid = peer.gid();
        peerMac = 0;
        port.resolve(gid, wire.now(), mac -> peerMac = mac);
        while (peerMac == 0) {
            wire.turn();
        }
        if (peerMac == Port.NOBODY) {
            throw new IOException("nobody answers for " + gid);
        }
        Flow flow = port.flow(gidIndex, gid, peerMac, endpoint.qpNumber(), peer.qpNumber());
        qp.toInit();
        qp.toRtr(
                new Connection(
                        flow,
                        peer.qpNumber(),
                        MTU,
                        peer.psn(),
                        Plan.READS_AND_ATOMICS,
                        RNR_TIMER,
                        RIGHTS));
        qp.toRts(
                new SendAttributes(
                        endpoint.psn(),
                        timeout,
                        RETRIES,
                        SendAttributes.FOR_EVER,
                        Plan.READS_AND_ATOMICS),
                wire.now());
    }

    @Override
    public void receive(int slot) {
        receives.add(slot);
        qp.kick();
    }

    @Override
    public void request(Request request) {
        requests.add(request);
        qp.kick();
    }

    @Override
    public int poll(Completions to) throws IOException {
        int work = wire.turn();
        for (Completion done; (done = completions.poll()) != null; work++) {
            if (done.received) {
                to.received(done.id, done.status, done.bytes, done.immediate);
            } else {
                to.sent(done.id, done.status);
            }
        }
        return work;
    }

    /** What the transport has counted. */
    @Override
    public String toString() {
        return port.transport().counters().toString();
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    // ---- what the transport asks and tells

    @Override
    public boolean next(SendRequest into) {
        Request request = requests.poll();
        if (request == null) {
            return false;
        }
        into.clear();
        into.id = request.id();
        into.kind =
                switch (request.kind()) {
                    case SEND_IMMEDIATE -> SendRequest.Kind.SEND_IMMEDIATE;
                    case WRITE -> SendRequest.Kind.WRITE;
                    case WRITE_IMMEDIATE -> SendRequest.Kind.WRITE_IMMEDIATE;
                    case READ, READ_BACK -> SendRequest.Kind.READ;
                    case FETCH_ADD -> SendRequest.Kind.FETCH_ADD;
                    case COMPARE_SWAP -> SendRequest.Kind.COMPARE_SWAP;
                };
        into.immediate = request.id();
        into.remoteAddress = request.remoteAddress();
        into.rkey = request.rkey();
        into.compare = request.compare();
        into.swapOrAdd = request.swapOrAdd();
        into.sges().add(key, memory.address() + request.offset(), request.length());
        return true;
    }

    @Override
    public boolean next(ReceiveRequest into) {
        Integer slot = receives.poll();
        if (slot == null) {
            return false;
        }
        into.clear();
        into.id = slot;
        into.sges().add(key, memory.address() + Plan.RECEIVED + slot * Plan.SLOT, Plan.SLOT);
        return true;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public void sendDone(RoceQp of, SendRequest request, WcStatus status) {
        completions.add(new Completion(false, (int) request.id, status, 0, 0));
    }

    @Override
    public void receiveDone(RoceQp of, ReceiveRequest request, WcStatus status, Received what) {
        completions.add(
                new Completion(true, (int) request.id, status, what.byteLength, what.immediate));
    }

    /** Its cause is the status of a completion. */
    @Override
    public void stateChanged(RoceQp of, QpState state) {}

    @Override
    public void event(RoceQp of, Event event) {
        if (event != Event.COMMUNICATION_ESTABLISHED) {
            throw new IllegalStateException(qp + ": " + event);
        }
    }
}
