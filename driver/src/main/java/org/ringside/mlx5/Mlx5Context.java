package org.ringside.mlx5;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
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
import org.ringside.verbs.Gid;
import org.ringside.verbs.MemoryRegion;
import org.ringside.verbs.PortAttributes;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.QpOptions;
import org.ringside.verbs.QueuePair;
import org.ringside.verbs.VerbsException;
import org.ringside.verbs.VerbsObject;
import org.ringside.verbs.spi.EventMailbox;

/**
 * An open ConnectX. Owns the device that {@link BringUp} made ready and all objects on it.
 *
 * <p>When the device dies, QPs refuse posts, CQs complete what is outstanding, channels wake their
 * waiters, and a DEVICE_FATAL event tells why. Closing works all the same.
 */
final class Mlx5Context extends Context {
    private static final Logger LOG = System.getLogger(Mlx5Context.class.getName());

    private final Mlx5Device device;
    private final DeviceAttributes attributes;
    private final EventMailbox events = new EventMailbox();
    private final Map<Integer, Mlx5Cq> cqs = new ConcurrentHashMap<>();
    private final List<Mlx5Channel> channels = new CopyOnWriteArrayList<>();
    private final List<Mlx5Buffer> buffers = new ArrayList<>();
    private int keyVariant;

    /**
     * @param name the name that the device was opened by
     */
    Mlx5Context(String name, Mlx5Device device) throws VerbsException {
        super(name);
        this.device = device;
        this.attributes = DeviceLimits.attributes(device);
        LOG.log(Level.DEBUG, "{0} is ready; {1}", device, device.caps);
        AsyncEvents asyncEvents = new AsyncEvents(device.qps, cqs, events);
        device.events.listen(
                new DeviceEvents.Listener() {
                    @Override
                    public void completion(int cqNumber) {
                        Mlx5Cq cq = cqs.get(cqNumber);
                        if (cq != null) {
                            cq.notified();
                        }
                    }

                    @Override
                    public void asyncEvent(int type, int subType, MemorySegment ring, int at) {
                        asyncEvents.add(type, subType, ring, at);
                    }

                    @Override
                    public void died(String why) {
                        lose(why);
                    }
                });
    }

    Mlx5Device device() {
        return device;
    }

    @Override
    public DeviceAttributes attributes() {
        return attributes;
    }

    @Override
    public boolean isLost() {
        return device.isDead();
    }

    /** On the event thread, once. Takes no lock of the context: a command may be waiting in it. */
    private void lose(String why) {
        device.qps.forEach(queues -> queues.lose());
        cqs.values().forEach(cq -> cq.ring().lose());
        channels.forEach(Mlx5Channel::end);
        events.add(new AsyncEvent(AsyncEvent.Type.DEVICE_FATAL, null, null, 0, why));
    }

    // ---- objects

    @Override
    protected PortAttributes doQueryPort(int number) throws VerbsException {
        return new PortAttributes(
                device.port.linkLayer(),
                device.port.isUp(),
                device.port.activeMtu(),
                device.port.lid(),
                device.port.gidTableLength());
    }

    @Override
    protected Gid doQueryGid(int port, int index) {
        return device.port.gid(index);
    }

    @Override
    protected void doSetGid(int port, int index, Gid gid) throws VerbsException {
        device.port.setGid(index, gid);
    }

    @Override
    protected DeviceBuffer doAllocate(long size) throws VerbsException {
        Mlx5Buffer buffer = Mlx5Buffer.create(this, size);
        buffers.add(buffer);
        return buffer;
    }

    /** The device's own buffer that a piece of memory lies in, null when it is in none. */
    @Nullable Mlx5Buffer bufferWith(MemorySegment memory) {
        for (Mlx5Buffer buffer : buffers) {
            if (buffer.contains(memory)) {
                return buffer;
            }
        }
        return null;
    }

    @Override
    protected ProtectionDomain doCreatePd() throws VerbsException {
        return Mlx5Pd.create(this);
    }

    @Override
    protected CompletionChannel doCreateCompletionChannel(int vector) throws VerbsException {
        Mlx5Channel channel = new Mlx5Channel(this, vector, device.completionQueue(vector));
        channels.add(channel);
        if (isLost()) {
            channel.end();
        }
        return channel;
    }

    @Override
    protected CompletionQueue doCreateCq(int entries, @Nullable CompletionChannel channel)
            throws VerbsException {
        Mlx5Cq cq = Mlx5Cq.create(this, entries, (Mlx5Channel) channel);
        cqs.put(cq.number(), cq);
        if (isLost()) {
            cq.ring().lose();
        }
        return cq;
    }

    @Override
    protected MemoryRegion doRegister(
            ProtectionDomain pd, MemorySegment memory, long address, Set<Access> access)
            throws VerbsException {
        return Mlx5Mr.create(this, (Mlx5Pd) pd, memory, address, access);
    }

    @Override
    protected QueuePair doCreateQp(ProtectionDomain pd, QpOptions options) throws VerbsException {
        return Mlx5Qp.create(this, (Mlx5Pd) pd, options);
    }

    /** The low byte of the next memory key. */
    int nextKeyVariant() {
        keyVariant = keyVariant + 1 & 0xff;
        return keyVariant;
    }

    void forget(Mlx5Cq cq) {
        cqs.remove(cq.number());
    }

    void forget(Mlx5Channel channel) {
        channels.remove(channel);
    }

    void forget(Mlx5Buffer buffer) {
        buffers.remove(buffer);
    }

    /**
     * Destroys an object on the device. If that fails the object is closed all the same, but its
     * memory stays where it is until the device is closed, as the device may still use it.
     *
     * @return whether the device has let go of it
     */
    boolean destroy(VerbsObject object, Command command) {
        try {
            var _ = device.commands.execute(command);
            return true;
        } catch (VerbsException e) {
            LOG.log(
                    isLost() ? Level.DEBUG : Level.WARNING,
                    "{0} was not destroyed, its memory is kept until the device is closed: {1}",
                    object,
                    e.getMessage());
            return false;
        }
    }

    // ---- events

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
        VerbsException failure = device.close();
        if (failure != null && !isLost()) {
            LOG.log(
                    Level.WARNING,
                    "{0} was closed, but not all of it went as it should: {1}",
                    this,
                    failure.getMessage());
        }
    }
}
