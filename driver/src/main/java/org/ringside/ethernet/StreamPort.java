package org.ringside.ethernet;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.wire.FrameReceiver;
import org.ringside.roce.wire.StreamLink;

/**
 * A port whose cable is a UNIX socket with QEMU's framing ({@code -netdev stream,addr.type=unix}):
 * on the other end is a NIC of a virtual machine. It needs neither VFIO nor root.
 *
 * <p>When the other end closes, the port is lost: QEMU does not come back.
 */
public final class StreamPort implements EthernetPort {
    private final Path socket;
    private final long mac;

    /** Waits for the other end; null when it has come, or when it was we who connected. */
    private @Nullable ServerSocketChannel listener;

    private volatile @Nullable StreamLink link;
    private volatile boolean lost;

    private StreamPort(
            Path socket,
            long mac,
            @Nullable ServerSocketChannel listener,
            @Nullable StreamLink link) {
        this.socket = socket;
        this.mac = mac;
        this.listener = listener;
        this.link = link;
    }

    /**
     * Connects to a socket on which QEMU listens ({@code server=on}).
     *
     * @param mac of this port, low 48 bits
     */
    public static StreamPort connect(Path socket, long mac) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        try {
            return new StreamPort(socket, mac, null, new StreamLink(channel));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Listens on a socket to which QEMU connects ({@code server=off}); the link is down until it
     * does.
     *
     * @param mac of this port, low 48 bits
     */
    public static StreamPort listen(Path socket, long mac) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(socket), 1);
            channel.configureBlocking(false);
            return new StreamPort(socket, mac, channel, null);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public String description() {
        return "wire " + socket;
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
        return !lost && link != null;
    }

    @Override
    public boolean isLost() {
        return lost;
    }

    @Override
    public @Nullable Frame acquire() {
        StreamLink to = link;
        return to == null ? null : to.acquire();
    }

    @Override
    public void transmit(Frame frame) {
        StreamLink to = link;
        if (to != null) {
            to.transmit(frame);
        }
    }

    @Override
    public void abandon(Frame frame) {
        StreamLink to = link;
        if (to != null) {
            to.abandon(frame);
        }
    }

    @Override
    public int poll(FrameReceiver receiver, long now) {
        StreamLink from = link;
        try {
            if (from == null) {
                accept();
                return 0;
            }
            return from.poll(receiver, now);
        } catch (IOException e) {
            lost = true;
            return 0;
        }
    }

    private void accept() throws IOException {
        ServerSocketChannel waiting = listener;
        SocketChannel channel = waiting == null ? null : waiting.accept();
        if (channel != null) {
            link = new StreamLink(channel);
            unlisten();
        }
    }

    private void unlisten() throws IOException {
        ServerSocketChannel waiting = listener;
        listener = null;
        if (waiting != null) {
            waiting.close();
            Files.deleteIfExists(socket);
        }
    }

    @Override
    public void close() {
        lost = true;
        StreamLink open = link;
        try {
            if (open != null) {
                open.close();
            }
            unlisten();
        } catch (IOException e) {
            // It is gone all the same.
        }
    }
}
