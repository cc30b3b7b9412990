package org.ringside.cli;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import org.ringside.verbs.ConnectOptions;
import org.ringside.verbs.Context;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.Mtu;
import org.ringside.verbs.SendFlags;
import org.ringside.verbs.VerbsException;

/**
 * The client's part of rdma-core's {@code ibv_rc_pingpong}: addresses go over TCP as text, then the
 * server sends each message back from the buffer that it came into, so that its contents can be
 * verified here.
 *
 * <pre>
 *   LID:QPN:PSN:GID  0001:000041:9a3b1c:00000000000000000000000000000000, 52 bytes with a final zero
 *   client: own line  ->  server connects, its own line  ->  client connects, "done"
 * </pre>
 *
 * <p>Source: rdma-core libibverbs/examples/rc_pingpong.c.
 */
final class EchoClient implements AutoCloseable {
    private static final int LINE = 52;
    private static final byte[] DONE = {'d', 'o', 'n', 'e', 0};
    private static final int HEX = 16;
    private static final int CONNECT_MILLIS = 10_000;

    private final Side side;
    private final int size;
    private final Messages messages;

    EchoClient(Context context, int size, Duration timeout) throws VerbsException {
        this.size = size;
        this.side = new Side(context, size);
        this.messages = new Messages(timeout, side);
    }

    /** Tells the server where we are, hears where it is, connects. */
    void meet(String host, int port, int gidIndex) throws IOException, VerbsException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("there is no host " + host + "; name another with --server");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, CONNECT_MILLIS);
            socket.setSoTimeout(CONNECT_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(line(side.qp.endpoint(1, gidIndex)));
            out.flush();
            byte[] answer = new byte[LINE];
            new DataInputStream(socket.getInputStream()).readFully(answer);
            // The server's path MTU is 1024 unless it is told another.
            side.qp.connect(
                    parse(answer), new ConnectOptions().mtu(Mtu.MTU_1024).gidIndex(gidIndex));
            out.write(DONE);
            out.flush();
        } catch (EOFException | SocketException | SocketTimeoutException e) {
            throw new IOException(
                    "%s:%d: no addresses exchanged with ibv_rc_pingpong there: %s"
                            .formatted(host, port, Failures.text(e)),
                    e);
        }
    }

    /** An endpoint as the server reads it. It takes a GID for a wish to be reached by it. */
    static byte[] line(Endpoint end) {
        byte[] gid = end.lid() == 0 ? end.gid().bytes() : Gid.NONE.bytes();
        String text =
                String.format(
                        Locale.ROOT,
                        "%04x:%06x:%06x:%s\0",
                        end.lid(),
                        end.qpNumber(),
                        end.psn(),
                        HexFormat.of().formatHex(gid));
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static Endpoint parse(byte[] line) {
        String text = new String(line, StandardCharsets.US_ASCII);
        String[] parts = text.substring(0, LINE - 1).split(":", -1);
        try {
            return new Endpoint(
                    Integer.parseInt(parts[1], HEX),
                    Integer.parseInt(parts[2], HEX),
                    Integer.parseInt(parts[0], HEX),
                    Gid.of(HexFormat.of().parseHex(parts[3])));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new CommandFailedException(
                    "the server sent \"%s\", which is no address of ibv_rc_pingpong"
                            .formatted(text.replace('\0', '.')));
        }
    }

    /**
     * Sends messages and verifies what comes back.
     *
     * @return nanoseconds of all round trips
     */
    long run(int iterations) {
        long nanos = 0;
        for (int i = 1; i <= iterations; i++) {
            Pattern.fill(side.source, i);
            Messages.posted(side.qp.postRecv(i, side.mr.lkey(), side.target.address(), size));
            long start = System.nanoTime();
            Messages.posted(
                    side.qp.postSend(
                            i, SendFlags.SIGNALED, side.mr.lkey(), side.source.address(), size));
            messages.complete(side.sendCq, i);
            messages.complete(side.recvCq, i);
            nanos += System.nanoTime() - start;
            Pattern.verify(side.target, i);
        }
        return nanos;
    }

    @Override
    public void close() throws VerbsException {
        side.close();
    }
}
