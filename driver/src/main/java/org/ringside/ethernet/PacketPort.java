package org.ringside.ethernet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.ringside.linux.Errno;
import org.ringside.linux.LinuxException;
import org.ringside.linux.SystemCalls;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FramePool;
import org.ringside.roce.wire.FrameReceiver;

/**
 * A port whose cable is that of a network interface of this machine, which the kernel drives: it
 * sends and receives whole frames by a packet socket (packet(7)), beside the kernel. Programs on
 * this machine are reached only where the interface is one end of a veth pair, or a port of a
 * bridge; a frame sent on the NIC of a real cable leaves the machine.
 *
 * <p>An interface that is down loses what is sent; it may come up again. When it is taken away the
 * port is lost. VLAN tags that the kernel takes off before a packet socket sees the frame are gone.
 */
public final class PacketPort implements EthernetPort {
    private static final Path INTERFACES = Path.of("/sys/class/net");
    private static final int FRAMES = 64;

    /** Frames of one poll. */
    private static final int BATCH = 64;

    private final SystemCalls calls;
    private final String name;
    private final int fd;
    private final long mac;
    private final int mtu;
    private final FramePool pool = new FramePool(FRAMES);
    private final Frame arriving = Frame.allocate(1)[0];
    private volatile boolean lost;
    private boolean closed;

    private PacketPort(SystemCalls calls, String name, int fd, long mac, int mtu) {
        this.calls = calls;
        this.name = name;
        this.fd = fd;
        this.mac = mac;
        this.mtu = mtu;
    }

    /**
     * Opens a port.
     *
     * @param name of the interface, as {@code ip link} has it
     * @param mac of this port, low 48 bits; not the interface's own
     * @throws IOException when there is no such interface, or the process may not use it, with the
     *     cure
     */
    public static PacketPort open(String name, long mac) throws IOException {
        // The name becomes part of a path.
        Path directory = INTERFACES.resolve(name.isEmpty() || name.contains("/") ? "." : name);
        if (!Files.isReadable(directory.resolve("ifindex"))) {
            throw new IOException(
                    "there is no network interface \"" + name + "\"; \"ip link\" lists them");
        }
        SystemCalls calls = SystemCalls.host();
        int mtu = Math.min(MAX_MTU, number(directory.resolve("mtu")));
        int index = number(directory.resolve("ifindex"));
        try {
            return new PacketPort(calls, name, calls.packetSocket(index), mac, mtu);
        } catch (LinuxException e) {
            String cure =
                    e.errno() == Errno.EPERM
                            ? "; run it as root, or give it the capability CAP_NET_RAW"
                            : "";
            throw new IOException(e.getMessage() + cure, e);
        }
    }

    private static int number(Path file) throws IOException {
        return Integer.parseInt(Files.readString(file).strip());
    }

    @Override
    public String description() {
        return "interface " + name;
    }

    @Override
    public long mac() {
        return mac;
    }

    @Override
    public int mtu() {
        return mtu;
    }

    /** Asks the kernel: slow. */
    @Override
    public boolean isUp() {
        try {
            return !lost && number(INTERFACES.resolve(name).resolve("carrier")) == 1;
        } catch (IOException e) {
            return false; // So it answers for an interface that is set down.
        }
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
        try {
            if (!lost) {
                // What the interface has no room for is lost, as anywhere on a network.
                calls.sendNow(fd, frame.memory(), frame.length());
            }
        } catch (LinuxException e) {
            failed(e);
        } finally {
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
        try {
            while (frames < BATCH && !lost) {
                int length = calls.receiveNow(fd, arriving.memory());
                if (length < 0) {
                    break;
                }
                frames++;
                if (length <= arriving.capacity()) {
                    arriving.length(length);
                    receiver.receive(arriving, now);
                }
            }
        } catch (LinuxException e) {
            failed(e);
        }
        return frames;
    }

    /** The socket tells once that its interface went down, or has gone. */
    private void failed(LinuxException e) {
        boolean passing = e.errno() == Errno.ENETDOWN || e.errno() == Errno.EMSGSIZE;
        if (!passing || !Files.exists(INTERFACES.resolve(name))) {
            lost = true;
        }
    }

    @Override
    public void close() {
        lost = true;
        if (closed) {
            return;
        }
        closed = true;
        try {
            calls.close(fd);
        } catch (LinuxException e) {
            // It is gone all the same.
        }
    }
}
