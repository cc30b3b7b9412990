package org.ringside.interop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lines of text with the program at the other end, which connects to us. A thread of its own
 * listens, so that who waits for a line can drive a wire meanwhile.
 */
final class Dialogue implements AutoCloseable {
    private static final String ERROR = "error ";

    private final ServerSocket server;
    private final Queue<String> heard = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Socket peer;
    private volatile @Nullable IOException end;

    /**
     * @param server listens; closed with this
     */
    Dialogue(ServerSocket server) {
        this.server = server;
        Thread listener = new Thread(this::listen, "dialogue");
        listener.setDaemon(true);
        listener.start();
    }

    private void listen() {
        try (Socket socket = server.accept();
                BufferedReader lines =
                        new BufferedReader(
                                new InputStreamReader(
                                        socket.getInputStream(), StandardCharsets.US_ASCII))) {
            peer = socket;
            for (String line; (line = lines.readLine()) != null; ) {
                heard.add(line);
            }
            end = new IOException("the peer has gone");
        } catch (IOException e) {
            end = e;
        }
    }

    /** Whether the peer is there. */
    boolean isConnected() throws IOException {
        if (peer == null && end != null) {
            throw new IOException("the peer did not come", end);
        }
        return peer != null;
    }

    void say(String line) throws IOException {
        Socket to = peer;
        if (to == null) {
            throw new IOException("the peer is not there yet");
        }
        to.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** The next line of the peer; null when there is none yet. */
    @Nullable String heard() throws IOException {
        IOException gone = end;
        String line = heard.poll();
        if (line != null && line.startsWith(ERROR)) {
            throw new IOException("the peer says: " + line.substring(ERROR.length()));
        }
        if (line == null && gone != null) {
            throw gone;
        }
        return line;
    }

    @Override
    public void close() throws IOException {
        server.close();
        Socket socket = peer;
        if (socket != null) {
            socket.close();
        }
    }
}
