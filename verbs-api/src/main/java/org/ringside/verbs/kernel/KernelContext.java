package org.ringside.verbs.kernel;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.ringside.verbs.Access;
import org.ringside.verbs.AsyncEvent;
import org.ringside.verbs.CompletionChannel;
import org.ringside.verbs.CompletionQueue;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceAttributes;
import org.ringside.verbs.DeviceBuffer;
import org.ringside.verbs.DeviceException;
import org.ringside.verbs.Gid;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.VerbsObject;
import org.ringside.verbs.spi.EventMailbox;

/** An open device: struct ibv_context, its QPs and CQs by address, its asynchronous events. */
final class KernelContext extends Context {
    private static final Logger LOG = System.getLogger(KernelContext.class.getName());

    private final Libraries libraries;
    private final long context;
    private final KernelName name;
    private final Queries queries;
    private final MemorySegment requestNotify;
    private final EventMailbox events = new EventMailbox();
    private final QpTable qps = new QpTable();
    private final Map<Long, KernelCq> cqs = new ConcurrentHashMap<>();
    private final List<KernelChannel> channels = new CopyOnWriteArrayList<>();
    private final EventThread eventThread;
    private volatile boolean lost;

    private KernelContext(
            String deviceName, KernelName name, Libraries libraries, long device, long context)
            throws VerbsException {
        super(deviceName);
        this.libraries = libraries;
        this.name = name;
        this.context = context;
        this.queries = new Queries(libraries, deviceName, context);
        this.requestNotify = operation(Abi.Context.OPS_REQ_NOTIFY_CQ);
        this.eventThread = new EventThread(this, context, device);
    }

    /** Takes over an open struct ibv_context: closes it too when it is of no use. */
    static KernelContext of(
            String deviceName, KernelName name, Libraries libraries, long device, long context)
            throws VerbsException {
        try {
            KernelContext made = new KernelContext(deviceName, name, libraries, device, context);
            made.eventThread.start();
            return made;
        } catch (VerbsException | RuntimeException | Error e) {
            libraries.verbs().ibv_close_device(context);
            throw e;
        }
    }

    Libraries libraries() {
        return libraries;
    }

    Libibverbs verbs() {
        return libraries.verbs();
    }

    long address() {
        return context;
    }

    boolean prefersExtended() {
        return name.api() == KernelName.Api.EXTENDED;
    }

    Queries queries() {
        return queries;
    }

    /** A function of struct ibv_context_ops. */
    MemorySegment operation(int offset) {
        return Raw.function(context + offset);
    }

    /** A failure that nobody waits for. */
    void note(VerbsException e) {
        LOG.log(Level.DEBUG, "{0}", e.getMessage());
    }

    /** An object was given back to the library: 0, or the error number. */
    void closed(VerbsObject what, int errno) throws VerbsException {
        if (errno == 0) {
            return;
        }
        if (lost) {
            LOG.log(Level.DEBUG, "{0} closed on a device that is gone: errno {1}", what, errno);
            return;
        }
        throw libraries.failure(errno, what + " cannot be closed", Cures.of(errno));
    }

    @Override
    public DeviceAttributes attributes() {
        return queries.attributes();
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    private void requireThere() throws DeviceException {
        if (lost) {
            throw new DeviceException(
                    VerbsException.ENODEV,
                    this + " has gone; close it and open it again when it is back");
        }
    }

    // ---- port

    @Override
    protected PortAttributes doQueryPort(int number) throws VerbsException {
        requireThere();
        return queries.port(number);
    }

    @Override
    protected Gid doQueryGid(int port, int index) throws VerbsException {
        requireThere();
        return queries.gid(port, index);
    }

    @Override
    protected void doSetGid(int port, int index, Gid gid) throws VerbsException {
        throw new VerbsException(
                VerbsException.EOPNOTSUPP,
                this
                        + ": the kernel keeps the GID table; give the network device an address (ip addr add)");
    }

    // ---- objects

    @Override
    protected DeviceBuffer doAllocate(long size) throws VerbsException {
        try {
            return new KernelBuffer(this, size);
        } catch (OutOfMemoryError e) {
            throw new VerbsException(
                    VerbsException.ENOMEM,
                    "%s: no memory for a buffer of %d bytes: %s"
                            .formatted(this, size, e.getMessage()),
                    e);
        }
    }

    @Override
    protected ProtectionDomain doCreatePd() throws VerbsException {
        requireThere();
        return new KernelPd(this, made(verbs().ibv_alloc_pd(context), "a PD"));
    }

    /** The address of a new object; if it is 0 the library has set the error number. */
    long made(long object, String what) throws VerbsException {
        if (object == 0) {
            int errno = Libraries.errno();
            throw libraries.failure(errno, this + ": " + what + " cannot be made", Cures.of(errno));
        }
        return object;
    }

    @Override
    protected CompletionChannel doCreateCompletionChannel(int vector) throws VerbsException {
        requireThere();
        long made = made(verbs().ibv_create_comp_channel(context), "a completion channel");
        KernelChannel channel;
        try {
            channel = new KernelChannel(this, made, vector);
        } catch (VerbsException e) {
            verbs().ibv_destroy_comp_channel(made);
            throw e;
        }
        channels.add(channel);
        return channel;
    }

    void forget(KernelChannel channel) {
        channels.remove(channel);
    }

    @Override
    protected CompletionQueue doCreateCq(int entries, @Nullable CompletionChannel channel)
            throws VerbsException {
        requireThere();
        KernelCq cq = new CqMaker(this).make(entries, (KernelChannel) channel);
        cqs.put(cq.cq, cq);
        return cq;
    }

    void forget(KernelCq cq) {
        cqs.remove(cq.cq);
    }

    @Nullable KernelCq cqAt(long address) {
        return cqs.get(address);
    }

    @Override
    protected MemoryRegion doRegister(
            ProtectionDomain pd, MemorySegment memory, long address, Set<Access> access)
            throws VerbsException {
        requireThere();
        return KernelMr.register((KernelPd) pd, memory, address, access);
    }

    @Override
    protected QueuePair doCreateQp(ProtectionDomain pd, QpOptions options) throws VerbsException {
        requireThere();
        KernelQp qp = new QpMaker(this).make((KernelPd) pd, options, qps.freeSlot(this));
        qps.add(qp);
        return qp;
    }

    int nextGeneration(int slot) {
        return qps.nextGeneration(slot);
    }

    void remove(KernelQp qp) {
        qps.remove(qp);
    }

    /** The QP whose requests have this owner in their tags; null when they are of the past. */
    @Nullable KernelQp qpOf(int owner) {
        return qps.of(owner);
    }

    /** Any QP that owes a CQ a completion. */
    @Nullable KernelQp qpWithWork(KernelCq cq) {
        return qps.withWork(cq);
    }

    void requestNotify(long cq, boolean solicitedOnly) {
        int errno = Calls.requestNotify(requestNotify, cq, solicitedOnly ? 1 : 0);
        if (errno != 0) {
            LOG.log(Level.DEBUG, "{0}: ibv_req_notify_cq: errno {1}", this, errno);
        }
    }

    // ---- events, on the event thread

    /** What the kernel reports, by struct ibv_async_event. */
    void event(int type, long element) {
        AsyncEvent.Type known = EventTypes.of(type);
        if (known == null) {
            LOG.log(Level.DEBUG, "{0}: event {1}", this, verbs().ibv_event_type_str(type));
            return;
        }
        if (known == AsyncEvent.Type.DEVICE_FATAL) {
            lose("the kernel says that it is dead or being removed");
            return;
        }
        KernelQp qp = EventTypes.isOfQp(known) ? qps.at(element) : null;
        KernelCq cq = known == AsyncEvent.Type.CQ_ERR ? cqAt(element) : null;
        if (qp != null && EventTypes.isError(known)) {
            qp.sawError();
        }
        int port = EventTypes.isOfPort(known) ? (int) element : 0;
        events.add(new AsyncEvent(known, qp, cq, port, verbs().ibv_event_type_str(type)));
    }

    /** The device has gone. */
    void lose(String why) {
        if (!lost) {
            lost = true;
            qps.forEach(KernelQp::lose);
            events.add(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, null, null, 0, why));
            channels.forEach(KernelChannel::end);
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
    protected void doClose() throws VerbsException {
        events.end();
        eventThread.close();
        closed(this, verbs().ibv_close_device(context));
    }

    /** Memory for the structures of one call, zeroed. */
    static long scratch(Arena arena, int size) {
        return arena.allocate(size, Long.BYTES).address();
    }
}
