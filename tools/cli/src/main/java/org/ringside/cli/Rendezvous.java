package org.ringside.cli;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;
import org.ringside.verbs.VerbsException;

/**
 * How two ends of rdma-core's {@code ibv_rc_pingpong} learn of each other: addresses go over TCP as
 * text.
 *
 * <pre>
 *   LID:QPN:PSN:GID  0001:000041:9a3b1c:00000000000000000000000000000000, 52 bytes with a final zero
 *   client: own line  -&gt;  server connects, its own line  -&gt;  client connects, "done"
 * </pre>
 *
 * <p>Source: rdma-core libibverbs/examples/rc_pingpong.c.
 */
final class Rendezvous {
    private static final int LINE = 52;
    private static final byte[] DONE = {'d', 'o', 'n', 'e', 0};
    private static final int HEX = 16;
    private static final int ANSWER_MILLIS = 10_000;

    private Rendezvous() {}

    /** What an end does when it knows the other one. */
    interface Connect {
        void to(Endpoint peer) throws VerbsException;
    }

    /** The client's part: tells the server where we are, hears where it is, connects. */
    static void call(String host, int port, Endpoint own, Connect connect)
            throws IOException, VerbsException {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("there is no host " + host + "; name another");
        }
        try (Socket socket = new Socket()) {
            socket.connect(address, ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(line(own));
            out.flush();
            connect.to(hear(socket));
            out.write(DONE);
            out.flush();
        } catch (EOFException | SocketException | SocketTimeoutException e) {
            throw notMet("%s:%d".formatted(host, port), e);
        }
    }

    /**
     * The server's part: waits for a client, however long that takes.
     *
     * @return where it is
     */
    static String answer(ServerSocket listener, Endpoint own, Connect connect)
            throws IOException, VerbsException {
        try (Socket socket = listener.accept()) {
            String client =
                    "%s:%d".formatted(socket.getInetAddress().getHostAddress(), socket.getPort());
            try {
                socket.setSoTimeout(ANSWER_MILLIS);
                connect.to(hear(socket));
                OutputStream out = socket.getOutputStream();
                out.write(line(own));
                out.flush();
                new DataInputStream(socket.getInputStream()).readFully(new byte[DONE.length]);
            } catch (EOFException | SocketException | SocketTimeoutException e) {
                throw notMet(client, e);
            }
            return client;
        }
    }

    private static Endpoint hear(Socket socket) throws IOException {
        byte[] line = new byte[LINE];
        new DataInputStream(socket.getInputStream()).readFully(line);
        return parse(line);
    }

    private static IOException notMet(String where, IOException e) {
        return new IOException(
                "%s: no addresses exchanged with ibv_rc_pingpong there: %s"
                        .formatted(where, Failures.text(e)),
                e);
    }

    /** An endpoint as the other end reads it. It takes a GID for a wish to be reached by it. */
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

    static Endpoint parse(byte[] line) throws ProtocolException {
        String text = new String(line, StandardCharsets.US_ASCII);
        String[] parts = text.substring(0, LINE - 1).split(":", -1);
        try {
            return new Endpoint(
                    Integer.parseInt(parts[1], HEX),
                    Integer.parseInt(parts[2], HEX),
                    Integer.parseInt(parts[0], HEX),
                    Gid.of(HexFormat.of().parseHex(parts[3])));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new ProtocolException(
                    "the other end sent \"%s\", which is no address of ibv_rc_pingpong"
                            .formatted(text.replaceAll("[^ -~]", ".")));
        }
    }
}
