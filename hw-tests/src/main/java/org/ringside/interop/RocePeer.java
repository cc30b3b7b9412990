package org.ringside.interop;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.ringside.roce.Connection;
import org.ringside.roce.QpOptions;
import org.ringside.roce.RoceQp;
import org.ringside.roce.SendAttributes;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Service;
import org.ringside.roce.port.Port;
import org.ringside.roce.port.PortAddresses;
import org.ringside.roce.wire.PcapngWriter;
import org.ringside.roce.wire.StreamLink;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;

/**
 * The peer of a guest's rdma_rxe: listens on a UNIX socket for QEMU's {@code -netdev stream}, is a
 * RoCE device on that wire, and plays both ends of rdma-core's pingpong programs.
 *
 * <pre>
 *   RocePeer SOCKET ADDRESS CAPTURE RUN...
 *   RUN   rc|uc|ud : listen|connect : TCP-PORT : SIZE : ITERATIONS
 * </pre>
 *
 * <p>Runs happen one after the other; the guest does the same in the same order.
 */
public final class RocePeer {
    private static final long MAC = 0x5254_0000_0101L;
    private static final int GID_INDEX = 1;
    private static final int MTU = 1024;
    private static final int QKEY = 0x11111111;

    /** A second: a busy host may leave the guest without a CPU for that long. */
    private static final int TIMEOUT = 18;

    private static final int FIRST_QPN = 0x100;
    private static final int RUN_SECONDS = 180;
    private static final int CONNECT_SECONDS = 300;
    private static final long RETRY_NANOS = 300_000_000;

    private final RoceAgent agent;
    private final PrintStream out;
    private int nextQpn = FIRST_QPN;

    private RocePeer(RoceAgent agent, PrintStream out) {
        this.agent = agent;
        this.out = out;
    }

    /** One run, as the command line names it. */
    private record Run(Service service, boolean listen, int port, int size, int iterations) {
        static Run parse(String text) {
            String[] parts = text.split(":", -1);
            if (parts.length != 5) {
                throw new IllegalArgumentException(
                        text + ": expected SERVICE:listen|connect:PORT:SIZE:ITERATIONS");
            }
            return new Run(
                    Service.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                    parts[1].equals("listen"),
                    Integer.parseInt(parts[2]),
                    Integer.parseInt(parts[3]),
                    Integer.parseInt(parts[4]));
        }

        @Override
        public String toString() {
            return "%s %s, %d x %d B"
                    .formatted(service, listen ? "server" : "client", iterations, size);
        }
    }

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        if (args.length < 4) {
            System.err.println("usage: RocePeer SOCKET ADDRESS CAPTURE RUN...");
            System.exit(2);
        }
        PortAddresses addresses = new PortAddresses(MAC).add(Gid.parse(args[1]));
        long epoch = System.currentTimeMillis() * 1_000_000 - System.nanoTime();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
                PcapngWriter capture = new PcapngWriter(Path.of(args[2]), epoch)) {
            server.bind(UnixDomainSocketAddress.of(args[0]));
            StreamLink link = new StreamLink(server.accept());
            link.capture(capture);
            try (RoceAgent agent = new RoceAgent(link, addresses)) {
                RocePeer peer = new RocePeer(agent, System.out);
                for (int i = 3; i < args.length; i++) {
                    peer.run(Run.parse(args[i]));
                }
                System.out.println(agent.ask(RocePeer::counters));
            }
            System.out.println("frames captured: " + capture.frames());
        }
    }

    private void run(Run run) throws Exception {
        out.println(run + ": waiting for the peer");
        if (run.listen) {
            try (ServerSocket server =
                    new ServerSocket(run.port, 1, InetAddress.getLoopbackAddress())) {
                try (Socket socket = server.accept()) {
                    exchange(run, socket);
                }
            }
        } else {
            connect(run);
        }
    }

    /** The forwarder in front of the guest accepts even when nobody listens behind it. */
    private void connect(Run run) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CONNECT_SECONDS);
        Endpoint self = null;
        PingPong traffic = null;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), run.port));
                if (self == null || traffic == null) {
                    traffic = traffic(run);
                    self = endpoint();
                }
                Handshake.send(socket, self);
                Endpoint peer = Handshake.receive(socket);
                traffic(run, traffic, self, peer, socket);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    private void exchange(Run run, Socket socket) throws Exception {
        PingPong traffic = traffic(run);
        traffic(run, traffic, endpoint(), Handshake.receive(socket), socket);
    }

    private PingPong traffic(Run run) {
        return agent.ask(a -> new PingPong(a.memory(), 1, run.service, run.size, run.iterations));
    }

    private Endpoint endpoint() {
        Gid gid = agent.ask(a -> a.port().addresses().gids().get(GID_INDEX));
        int qpn = nextQpn++;
        return new Endpoint(qpn, 0xfffff0 + qpn & 0xffffff, 0, gid);
    }

    private void traffic(Run run, PingPong traffic, Endpoint self, Endpoint peer, Socket socket)
            throws Exception {
        long mac = resolve(peer.gid());
        RoceQp qp = agent.ask(a -> connect(a.port(), run, traffic, self, peer, mac));
        if (run.listen) {
            Handshake.send(socket, self);
            Handshake.receiveDone(socket);
        } else {
            Handshake.sendDone(socket);
        }
        agent.execute(a -> traffic.start(qp, !run.listen));
        long nanos = await(run, traffic);
        out.printf(
                Locale.ROOT,
                "%s: verified, %.1f us per iteration%n",
                run,
                nanos / 1e3 / run.iterations);
        // The peer may still miss our last acknowledgement: it closes its socket when it is done.
        socket.getInputStream().readAllBytes();
        agent.ask(a -> retire(a, qp, traffic));
    }

    private static boolean retire(RoceAgent agent, RoceQp qp, PingPong traffic) {
        agent.port().transport().destroy(qp);
        traffic.release(agent.memory());
        return true;
    }

    private long await(Run run, PingPong traffic) throws Exception {
        try {
            return traffic.result().get(RUN_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            out.println(agent.ask(RocePeer::counters));
            throw new IllegalStateException(run + " failed; wire: " + agent.failure(), e);
        }
    }

    private static String counters(RoceAgent agent) {
        return agent.port().transport().counters().toString();
    }

    private long resolve(Gid gid) throws Exception {
        CompletableFuture<Long> mac = new CompletableFuture<>();
        agent.execute(a -> a.port().resolve(gid, System.nanoTime(), mac::complete));
        long found = mac.get(RUN_SECONDS, TimeUnit.SECONDS);
        if (found == Port.NOBODY) {
            throw new IOException("nobody answers for " + gid);
        }
        return found;
    }

    private RoceQp connect(
            Port port, Run run, PingPong traffic, Endpoint self, Endpoint peer, long mac) {
        Flow flow = port.flow(GID_INDEX, peer.gid(), mac, self.qpNumber(), peer.qpNumber());
        QpOptions options = QpOptions.of(self.qpNumber(), run.service, traffic.pd()).withQkey(QKEY);
        RoceQp qp = port.transport().create(options, traffic, traffic, traffic);
        traffic.datagramsTo(flow, peer.qpNumber(), QKEY);
        qp.toInit();
        qp.toRtr(new Connection(flow, peer.qpNumber(), MTU, peer.psn(), 1, 12, 0));
        qp.toRts(new SendAttributes(self.psn(), TIMEOUT, 7, 7, 1), System.nanoTime());
        return qp;
    }
}
