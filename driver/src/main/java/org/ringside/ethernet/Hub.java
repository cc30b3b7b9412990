package org.ringside.ethernet;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FramePool;
import org.ringside.roce.wire.FrameReceiver;

/**
 * An Ethernet switch in memory: ports of one process, each with an agent of its own. A frame goes
 * to the port of its destination MAC, or to all others when there is none; one that finds the
 * receiver's buffer full is lost, as on any switch.
 *
 * <p>Threading: ports come and go on any thread; each is used by its agent.
 */
public final class Hub {
    /** Frames that a port has for sending, and that wait at it to be received. */
    private static final int FRAMES = 512;

    private final List<HubPort> ports = new CopyOnWriteArrayList<>();

    /**
     * Plugs a port in.
     *
     * @param mac low 48 bits, unique on the hub
     */
    public synchronized EthernetPort plug(String description, long mac) {
        for (HubPort port : ports) {
            if (port.mac == mac) {
                throw new IllegalStateException(
                        "%s is on the hub already, as %s"
                                .formatted(Ethernet.text(mac), port.description));
            }
        }
        HubPort port = new HubPort(description, mac);
        ports.add(port);
        return port;
    }

    private final class HubPort implements EthernetPort {
        private final String description;
        private final long mac;
        private final FramePool pool = new FramePool(FRAMES);
        private final FrameQueue arrived = new FrameQueue(FRAMES);

        HubPort(String description, long mac) {
            this.description = description;
            this.mac = mac;
        }

        @Override
        public String description() {
            return description;
        }

        @Override
        public long mac() {
            return mac;
        }

        @Override
        public int mtu() {
            return MAX_MTU;
        }

        @Override
        public boolean isUp() {
            return ports.contains(this);
        }

        @Override
        public boolean isLost() {
            return false;
        }

        @Override
        public @Nullable Frame acquire() {
            return pool.take();
        }

        @Override
        public void transmit(Frame frame) {
            long to = Ethernet.destination(frame.bytes());
            HubPort only = find(to);
            if (only != null) {
                only.arrived.offer(frame);
            } else {
                for (int i = 0; i < ports.size(); i++) {
                    HubPort port = ports.get(i);
                    if (port != this) {
                        port.arrived.offer(frame);
                    }
                }
            }
            pool.give(frame);
        }

        private @Nullable HubPort find(long to) {
            for (int i = 0; i < ports.size(); i++) {
                HubPort port = ports.get(i);
                if (port.mac == to) {
                    return port;
                }
            }
            return null;
        }

        @Override
        public void abandon(Frame frame) {
            pool.give(frame);
        }

        @Override
        public int poll(FrameReceiver receiver, long now) {
            return arrived.drain(receiver, now);
        }

        @Override
        public void close() {
            ports.remove(this);
        }
    }
}
