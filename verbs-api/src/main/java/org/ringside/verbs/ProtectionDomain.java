package org.ringside.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Set;

/**
 * Protection domain: memory regions and QPs of one domain can be used together, of different ones
 * cannot.
 */
public abstract class ProtectionDomain extends VerbsObject {
    private final Context context;

    /**
     * For providers.
     *
     * @param number the device's number of it, for people
     */
    protected ProtectionDomain(Context context, int number) {
        super("PD 0x" + Integer.toHexString(number) + " on " + context.deviceName());
        this.context = context;
    }

    @Override
    final Object lock() {
        return context.lock();
    }

    public final Context context() {
        return context;
    }

    /**
     * Registers memory of the application. Native memory of any address and length; it stays the
     * caller's and must outlive the region. Addresses in work requests are the memory's own ({@link
     * MemorySegment#address()}).
     *
     * @throws VerbsException EINVAL for heap memory (use an {@link java.lang.foreign.Arena} or
     *     {@link Context#allocate}), an empty segment, or remote write without local write; ENOMEM
     *     when the limit of locked memory is in the way
     */
    public final MemoryRegion register(MemorySegment memory, Set<Access> access)
            throws VerbsException {
        Objects.requireNonNull(access, "access");
        synchronized (lock()) {
            requireOpen();
            checkMemory(memory);
            if ((access.contains(Access.REMOTE_WRITE) || access.contains(Access.REMOTE_ATOMIC))
                    && !access.contains(Access.LOCAL_WRITE)) {
                throw new VerbsException(
                        VerbsException.EINVAL,
                        "remote write or atomic access without LOCAL_WRITE is not allowed (IBTA"
                                + " 11.2.8.2); add Access.LOCAL_WRITE");
            }
            MemoryRegion region =
                    context.doRegister(this, memory, memory.address(), Set.copyOf(access));
            region.dependOn(this);
            return region;
        }
    }

    /** Registers a buffer of the device; it cannot be closed while the region is there. */
    public final MemoryRegion register(DeviceBuffer buffer, Set<Access> access)
            throws VerbsException {
        synchronized (lock()) {
            context.requireMine(buffer, buffer.context());
            MemoryRegion region = register(buffer.memory(), access);
            region.dependOn(buffer);
            return region;
        }
    }

    /** Makes a queue pair in state RESET. */
    public final QueuePair createQp(QpOptions options) throws VerbsException {
        synchronized (lock()) {
            requireOpen();
            options.check(context);
            QueuePair qp = context.doCreateQp(this, options);
            if (options.sendCq().equals(options.recvCq())) {
                qp.dependOn(this, options.sendCq());
            } else {
                qp.dependOn(this, options.sendCq(), options.recvCq());
            }
            return qp;
        }
    }

    /**
     * Makes an address handle, the way of datagrams to one port. On Ethernet that finds the MAC of
     * the peer, which may ask the network and take seconds when nobody answers.
     *
     * @param port number of the local port, from 1
     * @throws VerbsException ETIMEDOUT when nobody answers for the address; EINVAL when the path
     *     starts at an empty GID; EOPNOTSUPP where the provider has no datagrams
     */
    public final AddressHandle createAh(int port, AddressVector path) throws VerbsException {
        Objects.requireNonNull(path, "path");
        synchronized (lock()) {
            requireOpen();
            Checks.limit("port number", port, 1, context.attributes().ports());
            AddressHandle handle = context.doCreateAh(this, port, path);
            handle.dependOn(this);
            return handle;
        }
    }

    private void checkMemory(MemorySegment memory) throws VerbsException {
        if (!memory.isNative()) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "heap memory cannot be registered, the collector moves it; allocate it from an"
                            + " Arena or with Context.allocate");
        }
        if (memory.byteSize() == 0) {
            throw new VerbsException(VerbsException.EINVAL, "empty memory cannot be registered");
        }
        Checks.limit("memory region size", memory.byteSize(), 1, context.attributes().maxMrSize());
    }
}
