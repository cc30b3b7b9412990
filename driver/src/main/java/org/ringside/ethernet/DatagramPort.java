package org.ringside.ethernet;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FramePool;
import org.ringside.roce.wire.FrameReceiver;

/**
 * A port whose cable is a pair of UDP ports of this machine, a frame in each datagram, as QEMU's
 * {@code -netdev dgram} has it: on the other end is a NIC of a virtual machine. Either end may come
 * and go; what is sent meanwhile is lost, as on a cable that is not plugged in.
 */
public final class DatagramPort implements EthernetPort {
    private static final int FRAMES = 64;

    /** Frames of one poll. */
    private static final int BATCH = 64;

    private final DatagramChannel channel;
    private final String description;
    private final long mac;
    private final FramePool pool = new FramePool(FRAMES);
    private final Frame arriving;
    private volatile boolean lost;

    private DatagramPort(DatagramChannel channel, String description, long mac) {
        this.channel = channel;
        this.description = description;
        this.mac = mac;
        this.arriving = Frame.allocate(1)[0];
    }

    /**
     * Opens a port.
     *
     * @param local UDP port of this end, on the loopback interface
     * @param remote UDP port of the other end
     * @param mac of this port, low 48 bits
     */
    public static DatagramPort open(int local, int remote, long mac) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        DatagramChannel channel = DatagramChannel.open();
        try {
            channel.bind(new InetSocketAddress(here, local));
            channel.connect(new InetSocketAddress(here, remote));
            channel.configureBlocking(false);
            return new DatagramPort(
                    channel, "wire of UDP ports %d and %d".formatted(local, remote), mac);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
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
        return !lost;
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public @Nullable Frame acquire() {
        return pool.take();
    }

    @Override
    public void transmit(Frame frame) {
        ByteBuffer bytes = frame.bytes();
        bytes.position(0).limit(frame.length());
        try {
            channel.write(bytes); // What the socket has no room for is lost.
        } catch (PortUnreachableException e) {
            // Nobody is at the other end now.
        } catch (IOException e) {
            lost = true;
        } finally {
            bytes.clear();
            pool.give(frame);
        }
    }

    @Override
    public void abandon(Frame frame) {
        pool.give(frame);
    }

    @Override
    public int poll(FrameReceiver receiver, long now) {
        int frames = 0;
        ByteBuffer bytes = arriving.bytes();
        try {
            while (frames < BATCH) {
                bytes.clear();
                int length = channel.read(bytes);
                bytes.clear();
                if (length <= 0) {
                    break;
                }
                arriving.length(length);
                receiver.receive(arriving, now);
                frames++;
            }
        } catch (PortUnreachableException e) {
            // It tells of a frame that was sent to nobody.
        } catch (IOException e) {
            lost = true;
        }
        return frames;
    }

    @Override
    public void close() {
        lost = true;
        try {
            channel.close();
        } catch (IOException e) {
            // It is gone all the same.
        }
    }
}
