package org.ringside.verbs;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open device. Owner of all that is made from it: closing it closes the rest first, youngest
 * first.
 *
 * <p>Threading: all methods may be called from any thread; those that change something are
 * serialised by the context's lock. Waiting for events takes no lock.
 *
 * <p>For providers: subclass it and implement the {@code do} methods. They are called under the
 * lock with arguments that have been checked against {@link #attributes()}.
 */
public abstract class Context extends VerbsObject {
    private final Object lock = new Object();
    private final String deviceName;

    /** For providers. */
    protected Context(String deviceName) {
        super("device " + deviceName);
        this.deviceName = deviceName;
    }

    /** The name that it was opened by. */
    public final String deviceName() {
        return deviceName;
    }

    @Override
    final Object lock() {
        return lock;
    }

    /** What the device can do. */
    public abstract DeviceAttributes attributes();

    /**
     * Whether the device has died or was taken away. Its objects fail then; they can only be
     * closed.
     */
    public abstract boolean isLost();

    /**
     * State of a port, asked from the device now.
     *
     * @param number port number from 1
     */
    public final PortAttributes port(int number) throws VerbsException {
        synchronized (lock) {
            requireOpen();
            Checks.limit("port number", number, 1, attributes().ports());
            return doQueryPort(number);
        }
    }

    /** An entry of a port's GID table; {@link Gid#NONE} when the entry is empty. */
    public final Gid gid(int port, int index) throws VerbsException {
        synchronized (lock) {
            requireOpen();
            Checks.limit("port number", port, 1, attributes().ports());
            Checks.limit("GID index", index, 0, doQueryPort(port).gidTableLength() - 1);
            return doQueryGid(port, index);
        }
    }

    /**
     * Sets an entry of a port's GID table, where no kernel does it. {@link Gid#NONE} empties it.
     *
     * @throws VerbsException EOPNOTSUPP where the kernel owns the table
     */
    public final void setGid(int port, int index, Gid gid) throws VerbsException {
        synchronized (lock) {
            requireOpen();
            Checks.limit("port number", port, 1, attributes().ports());
            Checks.limit("GID index", index, 0, doQueryPort(port).gidTableLength() - 1);
            doSetGid(port, index, Objects.requireNonNull(gid, "gid"));
        }
    }

    /**
     * Memory that this device reaches best: page aligned, zeroed, on huge pages or shared with the
     * device where that helps. An application can register any other native memory too.
     *
     * @param size bytes, at least 1
     */
    public final DeviceBuffer allocate(long size) throws VerbsException {
        synchronized (lock) {
            requireOpen();
            if (size < 1) {
                throw new VerbsException(
                        VerbsException.EINVAL, "buffer of " + size + " bytes, expected at least 1");
            }
            DeviceBuffer buffer = doAllocate(size);
            buffer.dependOn(this);
            return buffer;
        }
    }

    /** Makes a protection domain. */
    public final ProtectionDomain createPd() throws VerbsException {
        synchronized (lock) {
            requireOpen();
            ProtectionDomain pd = doCreatePd();
            pd.dependOn(this);
            return pd;
        }
    }

    /**
     * Makes a completion channel: the means to sleep until a CQ has something.
     *
     * @param vector interrupt vector, 0 to {@link DeviceAttributes#completionVectors()} - 1
     */
    public final CompletionChannel createCompletionChannel(int vector) throws VerbsException {
        synchronized (lock) {
            requireOpen();
            Checks.limit("completion vector", vector, 0, attributes().completionVectors() - 1L);
            CompletionChannel channel = doCreateCompletionChannel(vector);
            channel.dependOn(this);
            return channel;
        }
    }

    /** Makes a completion queue that is polled only. */
    public final CompletionQueue createCq(int entries) throws VerbsException {
        return createCq(entries, null);
    }

    /**
     * Makes a completion queue.
     *
     * @param entries completions that it holds at least
     * @param channel where its notifications go, null for none
     */
    public final CompletionQueue createCq(int entries, @Nullable CompletionChannel channel)
            throws VerbsException {
        synchronized (lock) {
            requireOpen();
            Checks.limit("CQ size", entries, 1, attributes().maxCqe());
            if (channel != null) {
                requireMine(channel, channel.context());
            }
            CompletionQueue cq = doCreateCq(entries, channel);
            if (channel == null) {
                cq.dependOn(this);
            } else {
                cq.dependOn(this, channel);
            }
            return cq;
        }
    }

    /** The oldest event that has not been taken, or null. */
    public abstract @Nullable AsyncEvent pollEvent();

    /**
     * Waits for an event.
     *
     * @return the event, or null when none came in time or the context was closed
     */
    public abstract @Nullable AsyncEvent awaitEvent(Duration timeout) throws InterruptedException;

    /** Fails when an object belongs to another device: providers do not mix. */
    final void requireMine(VerbsObject object, Context owner) throws VerbsException {
        if (!owner.equals(this)) {
            throw new VerbsException(
                    VerbsException.EINVAL,
                    "%s belongs to %s, not to %s; make it from the same context"
                            .formatted(object, owner, this));
        }
        object.requireOpen();
    }

    @Override
    final void beforeClose() throws VerbsException {
        for (VerbsObject user = youngestUser(); user != null; user = youngestUser()) {
            VerbsObject top = user;
            for (VerbsObject above = top.youngestUser();
                    above != null;
                    above = top.youngestUser()) {
                top = above;
            }
            top.close();
        }
    }

    protected abstract PortAttributes doQueryPort(int number) throws VerbsException;

    protected abstract Gid doQueryGid(int port, int index) throws VerbsException;

    protected void doSetGid(int port, int index, Gid gid) throws VerbsException {
        throw notSupported("setting GID table entries");
    }

    protected abstract DeviceBuffer doAllocate(long size) throws VerbsException;

    protected abstract ProtectionDomain doCreatePd() throws VerbsException;

    protected abstract CompletionChannel doCreateCompletionChannel(int vector)
            throws VerbsException;

    protected abstract CompletionQueue doCreateCq(int entries, @Nullable CompletionChannel channel)
            throws VerbsException;

    protected abstract MemoryRegion doRegister(
            ProtectionDomain pd,
            java.lang.foreign.MemorySegment memory,
            long address,
            Set<Access> access)
            throws VerbsException;

    protected abstract QueuePair doCreateQp(ProtectionDomain pd, QpOptions options)
            throws VerbsException;

    protected AddressHandle doCreateAh(ProtectionDomain pd, int port, AddressVector path)
            throws VerbsException {
        throw notSupported("datagrams");
    }

    /** The failure of an operation that a provider does not have. */
    protected final VerbsException notSupported(String what) {
        return new VerbsException(VerbsException.EOPNOTSUPP, this + " does not support " + what);
    }
}
