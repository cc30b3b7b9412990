package org.ringside.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.ringside.verbs.*;

/**
 * A server that sends back what it receives, and its client; the device's name is all that differs
 * between kernel, VFIO, soft and emulated ones. The two ends find each other by TCP.
 *
 * <pre>
 *   Echo DEVICE GID-INDEX          the server, for one client
 *   Echo DEVICE GID-INDEX HOST     the client
 * </pre>
 */
public final class Echo {
    private static final int PORT = 18517;
    private static final int MESSAGES = 10;
    private static final int ROOM = 256;

    private Echo() {}

    /** See the class. */
    @SuppressWarnings("SystemOut") // A program's output.
    public static void main(String[] args) throws Exception {
        boolean client = args.length == 3;
        int gidIndex = Integer.parseInt(args[1]);
        try (Context device = Verbs.open(args[0])) {
            ProtectionDomain pd = device.createPd();
            CompletionQueue cq = device.createCq(16);
            QueuePair qp = pd.createQp(new QpOptions(cq));
            MemoryRegion mr = pd.register(device.allocate(2 * ROOM), EnumSet.allOf(Access.class));
            MemorySegment text = mr.memory();
            try (Socket peer = client ? new Socket(args[2], PORT) : accept()) {
                qp.connect(
                        meet(peer, qp.endpoint(1, gidIndex)),
                        new ConnectOptions().gidIndex(gidIndex));
                receive(qp, mr);
                meet(peer, qp.endpoint(1, gidIndex)); // Now both can receive.
                for (int i = 0; i < MESSAGES; i++) {
                    if (client) {
                        text.setString(0, "message " + i);
                        send(qp, mr, 0);
                        await(cq, 2); // It has gone, and an answer has come.
                        System.out.println(text.getString(ROOM));
                        if (!text.getString(ROOM).equals("message " + i)) {
                            throw new IllegalStateException("it came back changed");
                        }
                        receive(qp, mr);
                    } else {
                        await(cq, 1);
                        send(qp, mr, ROOM);
                        await(cq, 1);
                        receive(qp, mr);
                    }
                }
                meet(peer, qp.endpoint(1, gidIndex)); // Nobody leaves before the other is done.
            }
        }
    }

    private static Socket accept() throws IOException {
        try (ServerSocket server = new ServerSocket(PORT)) {
            return server.accept();
        }
    }

    /** Tells the other end where we are and hears where it is. */
    private static Endpoint meet(Socket peer, Endpoint own) throws IOException {
        String line = "%d %d %d %s%n".formatted(own.qpNumber(), own.psn(), own.lid(), own.gid());
        peer.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
        BufferedReader from =
                new BufferedReader(
                        new InputStreamReader(peer.getInputStream(), StandardCharsets.US_ASCII), 1);
        String[] words = String.valueOf(from.readLine()).split(" ");
        return new Endpoint(
                Integer.parseInt(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Gid.parse(words[3]));
    }

    private static void receive(QueuePair qp, MemoryRegion mr) {
        taken(qp.postRecv(0, mr.lkey(), mr.address() + ROOM, ROOM));
    }

    private static void send(QueuePair qp, MemoryRegion mr, int from) {
        taken(qp.postSend(1, SendFlags.SIGNALED, mr.lkey(), mr.address() + from, ROOM));
    }

    private static void taken(PostResult result) {
        if (result != PostResult.POSTED) {
            throw new IllegalStateException("not posted: " + result);
        }
    }

    private static void await(CompletionQueue cq, int completions) {
        for (int i = 0; i < completions; i++) {
            while (!cq.startPoll()) {
                Thread.onSpinWait();
            }
            WcStatus status = cq.status();
            cq.endPoll();
            if (status != WcStatus.SUCCESS) {
                throw new IllegalStateException("it ended with " + status);
            }
        }
    }
}
