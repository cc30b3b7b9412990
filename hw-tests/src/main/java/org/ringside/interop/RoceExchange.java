package org.ringside.interop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.StreamLink;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;

/**
 * Verified traffic of the transport with a guest's rdma_rxe, whose NIC is QEMU's {@code -netdev
 * stream} on a socket of ours.
 *
 * <pre>
 *   RoceExchange SOCKET ADDRESS TCP-PORT OURS THEIRS    OURS, THEIRS: requests of each end
 * </pre>
 */
public final class RoceExchange {
    private static final long MAC = 0x5254_0000_0101L;
    private static final int GID_INDEX = 1;
    private static final int QPN = 0x100;
    private static final int PSN = 0xfffff0;

    /** 268 ms, seven times: a busy host leaves the guest without a CPU for long. */
    private static final int TIMEOUT = 16;

    private RoceExchange() {}

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length != 5) {
            System.err.println("usage: RoceExchange SOCKET ADDRESS TCP-PORT OURS THEIRS");
            System.exit(2);
        }
        Gid gid = Gid.parse(args[1]);
        MemoryTable keys = new MemoryTable();
        ServerSocket tcp =
                new ServerSocket(Integer.parseInt(args[2]), 1, InetAddress.getLoopbackAddress());
        try (Dialogue dialogue = new Dialogue(tcp);
                StreamWire wire =
                        new StreamWire(accept(args[0]), keys, new PortAddresses(MAC).add(gid));
                RoceEnd end =
                        new RoceEnd(
                                wire,
                                wire.port(),
                                keys,
                                GID_INDEX,
                                new Endpoint(QPN, PSN, 0, gid),
                                TIMEOUT)) {
            Exchange exchange = new Exchange(end, dialogue, System.out);
            try {
                exchange.meet();
                exchange.weRequest(Integer.parseInt(args[3]));
                System.out.println("after our requests: " + end);
                exchange.theyRequest(Integer.parseInt(args[4]));
                exchange.bye();
            } finally {
                System.out.println(end);
            }
        }
    }

    private static StreamLink accept(String socket) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(Path.of(socket)));
            return new StreamLink(server.accept());
        }
    }
}
