package org.ringside.interop;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.ringside.verbs.Endpoint;
import org.ringside.verbs.Gid;

/**
 * What ibv_rc_pingpong, ibv_uc_pingpong and ibv_ud_pingpong tell each other over TCP: {@code
 * LID:QPN:PSN:GID} in hexadecimal and a zero byte, the client first; then "done" of the client
 * (rdma-core, libibverbs/examples).
 */
final class Handshake {
    private static final int LENGTH = "0000:000000:000000:".length() + 32 + 1;
    private static final String DONE = "done\0";

    private Handshake() {}

    static void send(Socket socket, Endpoint endpoint) throws IOException {
        String text =
                "%04x:%06x:%06x:%s\0"
                        .formatted(
                                endpoint.lid(),
                                endpoint.qpNumber(),
                                endpoint.psn(),
                                HexFormat.of().formatHex(endpoint.gid().bytes()));
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    static Endpoint receive(Socket socket) throws IOException {
        byte[] text = new byte[LENGTH];
        new DataInputStream(socket.getInputStream()).readFully(text);
        String[] parts = new String(text, 0, LENGTH - 1, StandardCharsets.US_ASCII).split(":", -1);
        if (parts.length != 4) {
            throw new IOException("no handshake of a pingpong program: " + String.join(":", parts));
        }
        HexFormat hex = HexFormat.of();
        return new Endpoint(
                HexFormat.fromHexDigits(parts[1]),
                HexFormat.fromHexDigits(parts[2]),
                HexFormat.fromHexDigits(parts[0]),
                Gid.of(hex.parseHex(parts[3])));
    }

    static void sendDone(Socket socket) throws IOException {
        socket.getOutputStream().write(DONE.getBytes(StandardCharsets.US_ASCII));
    }

    static void receiveDone(Socket socket) throws IOException {
        new DataInputStream(socket.getInputStream()).readFully(new byte[DONE.length()]);
    }
}
