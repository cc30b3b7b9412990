package org.ringside.softroce;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.ringside.ethernet.EthernetPort;
import org.ringside.roce.QpOwner;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.verbs.Access;
import org.ringside.verbs.AddressHandle;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.Gid;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.PortAttributes.LinkLayer;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QpState;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.spi.EventMailbox;

/** An open soft-RoCE device: an {@link EthernetPort} and the agent that drives it. */
public final class SoftContext extends Context {
    /** Headers of the largest packet: IPv6, UDP, BTH, RETH, immediate data, ICRC. */
    private static final int HEADERS = 40 + 8 + 12 + 16 + 4 + 4;

    private static final int GIDS = 16;
    private static final int MAX_QPS = 4096;
    private static final int MAX_QP_WR = 4096;
    private static final int MAX_CQE = 1 << 20;
    private static final int MAX_SGE = 16;
    private static final int MAX_INLINE = 512;
    private static final int MAX_RD_ATOMIC = 128;
    private static final long MAX_MESSAGE = 1L << 31;

    /** QP numbers 0 and 1 are the management QPs of each port (IBTA 3.5.3). */
    private static final int FIRST_QP = 2;

    private static final int GSI = 1;

    private static final int QP_NUMBERS = 1 << 16;

    private final PortAddresses addresses;
    private final MemoryTable memory = new MemoryTable();
    private final EthernetPort nic;
    private final SoftAgent agent;
    private final DeviceAttributes attributes;
    private final EventMailbox events = new EventMailbox();
    private final Map<Integer, SoftQp> qps = new ConcurrentHashMap<>();
    private final List<SoftChannel> channels = new CopyOnWriteArrayList<>();
    private int lastPd;
    private int lastCq;
    private int lastAh;
    private int lastQp = FIRST_QP - 1;

    private SoftContext(String name, EthernetPort nic, List<Gid> more) {
        super(name);
        this.nic = nic;
        this.addresses = new PortAddresses(nic.mac());
        more.forEach(addresses::add);
        this.attributes =
                new DeviceAttributes(
                        "none",
                        0,
                        0,
                        Gid.linkLocal(nic.mac()).low(),
                        MAX_QPS,
                        MAX_QP_WR,
                        MAX_SGE,
                        QP_NUMBERS,
                        MAX_CQE,
                        1 << 20,
                        Long.MAX_VALUE,
                        QP_NUMBERS,
                        MAX_MESSAGE,
                        MAX_INLINE,
                        MAX_RD_ATOMIC,
                        MAX_RD_ATOMIC,
                        1,
                        1);
        this.agent =
                new SoftAgent(
                        nic,
                        addresses,
                        memory,
                        MAX_QPS,
                        new SoftAgent.Client() {
                            @Override
                            public void doorbell(int qpNumber) {
                                SoftQp qp = qps.get(qpNumber);
                                if (qp != null) {
                                    qp.heard();
                                }
                            }

                            @Override
                            public void died(String why) {
                                lose(why);
                            }
                        });
    }

    /**
     * Makes a device of a port. It owns the port from now on.
     *
     * @param addresses that the port has beside the link-local one of its MAC
     */
    public static Context open(String deviceName, EthernetPort port, List<Gid> addresses) {
        SoftContext context = new SoftContext(deviceName, port, addresses);
        context.agent.start();
        return context;
    }

    static int powerOfTwo(int atLeast) {
        return atLeast <= 1 ? 1 : Integer.highestOneBit(atLeast - 1) << 1;
    }

    SoftAgent agent() {
        return agent;
    }

    /** For tasks of the agent only. */
    MemoryTable memory() {
        return memory;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public boolean isLost() {
        return agent.isLost();
    }

    // ---- port

    @Override
    protected PortAttributes doQueryPort(int number) throws VerbsException {
        boolean up = !isLost() && agent.call(nic::isUp);
        return new PortAttributes(LinkLayer.ETHERNET, up, activeMtu(), 0, GIDS);
    }

    Mtu activeMtu() {
        Mtu largest = Mtu.MTU_256;
        for (Mtu mtu : Mtu.values()) {
            if (mtu.bytes() + HEADERS <= nic.mtu()) {
                largest = mtu;
            }
        }
        return largest;
    }

    @Override
    protected Gid doQueryGid(int port, int index) throws VerbsException {
        return agent.call(() -> addresses.gid(index));
    }

    @Override
    protected void doSetGid(int port, int index, Gid gid) throws VerbsException {
        agent.run(() -> addresses.set(index, gid));
    }

    /**
     * Headers of the way to a peer; its MAC is asked from the network where neither the path nor
     * the GID says it.
     */
    Flow flow(AddressVector path, int from, int to) throws VerbsException {
        Gid peer = path.destinationGid();
        if (doQueryGid(1, path.sourceGidIndex()).equals(Gid.NONE)) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s: GID index %d is empty; set it with setGid, or use another"
                            .formatted(this, path.sourceGidIndex()));
        }
        long mac = mac(path);
        try {
            return agent.call(() -> agent.port().flow(path, mac, from, to));
        } catch (VerbsException e) {
            throw new VerbsException(
                    e.errno(), this + ": path to " + peer + ": " + e.getMessage(), e);
        }
    }

    private long mac(AddressVector path) throws VerbsException {
        Long given = path.destinationMac();
        if (given != null) {
            return given;
        }
        Gid peer = path.destinationGid();
        if (peer.isMulticast()) {
            return peer.macOfMulticast();
        }
        if (peer.isLinkLocalEui64()) {
            return peer.macOfLinkLocal();
        }
        CompletableFuture<Long> answer = new CompletableFuture<>();
        agent.run(
                () -> {
                    if (addresses.gids().contains(peer)) {
                        answer.complete(addresses.mac());
                    } else {
                        agent.port().resolve(peer, System.nanoTime(), answer::complete);
                    }
                });
        long mac;
        try {
            mac = answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(
                    VerbsException.EAGAIN, this + ": interrupted while resolving " + peer, e);
        } catch (ExecutionException e) {
            throw new VerbsException(VerbsException.EIO, this + ": resolving " + peer, e);
        }
        if (mac == Port.NOBODY) {
            throw new VerbsException(
                    VerbsException.ETIMEDOUT,
                    "%s: nobody on the network of %s answers for %s; is it up, is it on this network"
                                    .formatted(this, nic.description(), peer)
                            + " (routes are not followed), has the port an address of the same kind?");
        }
        return mac;
    }

    // ---- objects

    @Override
    protected DeviceBuffer doAllocate(long size) throws VerbsException {
        try {
            return new SoftBuffer(this, size);
        } catch (OutOfMemoryError e) {
            throw new VerbsException(
                    VerbsException.ENOMEM,
                    "%s: no memory for a buffer of %d bytes: %s"
                            .formatted(this, size, e.getMessage()),
                    e);
        }
    }

    @Override
    protected ProtectionDomain doCreatePd() {
        return new SoftPd(this, ++lastPd);
    }

    @Override
    protected CompletionChannel doCreateCompletionChannel(int vector) {
        SoftChannel channel = new SoftChannel(this, vector);
        channels.add(channel);
        if (isLost()) {
            channel.end();
        }
        return channel;
    }

    void forget(SoftChannel channel) {
        channels.remove(channel);
    }

    @Override
    protected CompletionQueue doCreateCq(int entries, @Nullable CompletionChannel channel) {
        return new SoftCq(this, ++lastCq, entries, (SoftChannel) channel);
    }

    @Override
    protected MemoryRegion doRegister(
            ProtectionDomain pd, MemorySegment segment, long address, Set<Access> access)
            throws VerbsException {
        return SoftMr.create(this, (SoftPd) pd, segment, address, access);
    }

    /** Any UDP source port will do; that of a handle is the same for all QPs that use it. */
    @Override
    protected AddressHandle doCreateAh(ProtectionDomain pd, int port, AddressVector path)
            throws VerbsException {
        return new SoftAh((SoftPd) pd, port, path, flow(path, ++lastAh, 0));
    }

    @Override
    protected QueuePair doCreateQp(ProtectionDomain pd, QpOptions options) throws VerbsException {
        return SoftQp.create(this, (SoftPd) pd, options);
    }

    /** A number that no QP has, and that none had for long. */
    int nextQpNumber() throws VerbsException {
        if (qps.size() == MAX_QPS) {
            throw new VerbsException(
                    VerbsException.ENOMEM,
                    "%s has %d QPs already, which is its limit; close some"
                            .formatted(this, MAX_QPS));
        }
        do {
            lastQp = lastQp + 1 == QP_NUMBERS ? FIRST_QP : lastQp + 1;
        } while (qps.containsKey(lastQp));
        return lastQp;
    }

    /** The number of the port's QP for management, which there is once. */
    int gsiNumber() throws VerbsException {
        if (qps.containsKey(GSI)) {
            throw new VerbsException(
                    VerbsException.EBUSY,
                    this + " has its QP 1 already; close that, or the connection manager on it");
        }
        return GSI;
    }

    void add(SoftQp qp) {
        qps.put(qp.number(), qp);
    }

    void remove(SoftQp qp) {
        qps.remove(qp.number());
    }

    // ---- events, on the agent's thread

    private void lose(String why) {
        qps.values().forEach(SoftQp::lose);
        channels.forEach(SoftChannel::end);
        events.add(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, null, null, 0, why));
    }

    /** A completion found no room: the CQ is of no use any more, nor are QPs that report there. */
    void overrun(SoftCq cq, SoftQp qp) {
        agent.later(
                () -> {
                    if (qps.get(qp.number()) == qp && qp.transport().state() != QpState.ERR) {
                        events.add(
                                new AsyncEvent(
                                        AsyncEvent.Type.CQ_ERR,
                                        null,
                                        cq,
                                        0,
                                        "%s is full (%d entries); poll it, or make it larger"
                                                .formatted(cq, cq.capacity())));
                        qp.fail();
                    }
                });
    }

    void event(SoftQp qp, QpOwner.Event event) {
        AsyncEvent.Type type =
                switch (event) {
                    case COMMUNICATION_ESTABLISHED -> AsyncEvent.Type.COMM_EST;
                    case SEND_QUEUE_DRAINED -> AsyncEvent.Type.SQ_DRAINED;
                    case REQUEST_ERROR -> AsyncEvent.Type.QP_REQ_ERR;
                    case ACCESS_ERROR -> AsyncEvent.Type.QP_ACCESS_ERR;
                    case FATAL -> AsyncEvent.Type.QP_FATAL;
                    case LAST_RECEIVE_REACHED -> null;
                };
        if (type != null) {
            events.add(new AsyncEvent(type, qp, null, 0, event.name()));
        }
    }

    @Override
    public @Nullable AsyncEvent pollEvent() {
        return events.poll();
    }

    @Override
    public @Nullable AsyncEvent awaitEvent(Duration timeout) throws InterruptedException {
        return events.await(timeout);
    }

    @Override
    protected void doClose() {
        events.end();
        agent.close();
    }
}
